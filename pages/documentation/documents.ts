import { readPackageFile } from '../../http/package-file.ts';

import { type ExampleSettings, withAddresses } from './installation-addresses.ts';

/** A page of the documentation. */
export interface DocumentEntry {
  /** Last part of its address. */
  readonly name: string;
  /** As Markdown of one line. */
  readonly title: string;
  /** Name of its group in the index. */
  readonly group: string;
  /** The first sentence of its text. */
  readonly about: string;
  /** Its Markdown, with the addresses of the installation; null for a page that is made from something else. */
  readonly source: string | null;
}

/** Pages that are made from something else, each after the document `after`. */
const MADE = [
  {
    after: 'account-api',
    name: 'api',
    title: 'API reference',
    about: 'Every operation of the account API with its parameters and an example.',
  },
  {
    after: 'element',
    name: 'component',
    title: 'The element, live',
    about: 'Every attribute, event and style of the element, to try on a live map.',
  },
] as const;

const SECTION = /^## Read on\n([\s\S]*)/m;
const ROW = /^\| ([^|]+) \| (.+) \|$/gm;
const DOCUMENT = /\]\(((?:docs\/[\w-]+|element\/README)\.md)\)/g;

/** Reads the documents in the order of the table "Read on" of the README, whose rows are the groups. */
export async function readDocuments(settings: ExampleSettings): Promise<readonly DocumentEntry[]> {
  const [, table = ''] = SECTION.exec(String(await readPackageFile('README.md'))) ?? [];
  const paths = [...table.matchAll(ROW)].flatMap(([, group = '', links = '']) =>
    [...links.matchAll(DOCUMENT)].map(([, path = '']) => ({ group, path })),
  );
  const entries = paths.map(async ({ group, path }): Promise<DocumentEntry[]> => {
    const source = withAddresses(String(await readPackageFile(path)), settings);
    const name = nameOf(path);
    const title = /(?<=^# ).+/m.exec(source)?.[0] ?? name;
    const made = MADE.filter(({ after }) => after === name).map((page) => ({ ...page, group, source: null }));
    return [{ name, title, group, about: firstSentence(source), source }, ...made];
  });
  return (await Promise.all(entries)).flat();
}

/** The first sentence below the title of a document, without markup. */
function firstSentence(source: string): string {
  const [, paragraph = ''] = source.split('\n\n');
  const text = paragraph
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ');
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

/** Name of the page of a file: `trip-map` for `docs/trip-map.md`, `element` for `element/README.md`. */
export function nameOf(path: string): string {
  return path.replace(/^(?:\.\.\/)?(?:docs\/)?/, '').replace(/(?:\/README)?\.md$/, '');
}
