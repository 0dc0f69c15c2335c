import { SaxesParser, type SaxesTag } from 'saxes';

import { FileError } from '../faults/import-failure.ts';
import type { FileItem } from '../rows/stream-position.ts';

/** Maximum length of a text that is read in characters, more than any time, number or position. */
const MAX_VALUE_LENGTH = 1000;
/** Maximum length of any other token in characters, such as the positions of a line. */
const MAX_PIECE_LENGTH = 16 * 1024 * 1024;
/** Maximum depth of nested elements, far more than any format needs. */
const MAX_DEPTH = 64;

/** Reader of the elements of a document; names are without prefixes, and `line` is where the parser is. */
export interface XmlElements {
  /** Name of the format for people, and of its root element. */
  readonly title: string;
  readonly root: string;
  /** Names of the elements whose text is read. */
  readonly texts: ReadonlySet<string>;
  readonly open: (name: string, line: number) => void;
  /** Takes the end of an element, with its text if it is one of `texts`, else ''; returns the items that it completes. */
  readonly close: (name: string, text: string, line: number) => readonly FileItem[];
  /** Returns the trip that was open when the document was cut off, if it has positions. */
  readonly takeOpen: () => readonly FileItem[];
}

/**
 * Reads the elements of a document piece by piece; memory holds one text. Declarations of document types are rejected.
 * @throws FileError with line and column if the document is not well-formed, or has another root element, after the items
 * that are whole before it
 */
export async function* readXml(text: AsyncIterable<string>, elements: XmlElements): AsyncGenerator<FileItem[]> {
  const xml = new SaxesParser({ position: true });
  let items: FileItem[] = [];
  let depth = 0;
  let value: string | null = null;
  /** Characters written since the last tag or text ended, to within a piece of the file. */
  let unfinished = 0;
  const fail = (reason: string): never => {
    throw new FileError(reason, { line: xml.line, column: Math.max(1, xml.column) });
  };
  const append = (more: string) => {
    unfinished = 0;
    if (value !== null) value += more;
    if (value !== null && value.length > MAX_VALUE_LENGTH) {
      fail(`a time, number or position is longer than ${MAX_VALUE_LENGTH} characters`);
    }
  };
  xml.on('error', (error) => fail(error.message.replace(/^(?:\d+:)*\d*: /, '')));
  xml.on('doctype', () => fail('document type declarations are not accepted'));
  xml.on('text', append);
  xml.on('cdata', append);
  xml.on('comment', () => append(''));
  xml.on('processinginstruction', () => append(''));
  xml.on('opentag', (tag) => {
    unfinished = 0;
    const name = localName(tag);
    if (depth++ === 0 && name !== elements.root) {
      fail(`the root element is <${tag.name}>, not <${elements.root}> of ${elements.title}`);
    }
    if (depth > MAX_DEPTH) fail(`elements are nested more than ${MAX_DEPTH} deep; export the file again`);
    value = elements.texts.has(name) ? '' : null;
    elements.open(name, xml.line);
  });
  xml.on('closetag', (tag) => {
    unfinished = 0;
    depth--;
    items.push(...elements.close(localName(tag), value?.trim() ?? '', xml.line));
    value = null;
  });
  try {
    for await (const piece of text) {
      unfinished += piece.length;
      xml.write(piece);
      const max = value === null ? MAX_PIECE_LENGTH : MAX_VALUE_LENGTH;
      if (unfinished > max) fail(`a text or tag is longer than ${max} characters`);
      yield items;
      items = [];
    }
    xml.close();
  } catch (error) {
    yield [...items, ...elements.takeOpen()];
    throw error;
  }
  yield items;
}

function localName({ name }: SaxesTag): string {
  return name.slice(name.indexOf(':') + 1);
}
