import { findTooDeep } from '../../schema/json-depth.ts';
import { UPLOAD_LIMIT } from '../../http/requests/body-limits.ts';

import { type ContentKind, CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';

import { ImportError } from './import-error.ts';

/** Who reads a site: without credentials, only what it publishes is read, as it is shown. */
export interface SiteReader {
  readonly username: string;
  readonly applicationPassword: string;
}

/** Fetches an address, without following redirects. */
export type Fetch = (
  address: string,
  init: { readonly headers: Record<string, string>; readonly redirect: 'manual'; readonly signal: AbortSignal },
) => Promise<Response>;

type Entry = Readonly<Record<string, unknown>> & { readonly id: number };

/** Maximum depth of an answer, as of the content interface. */
const MAX_DEPTH = 512;
/** Maximum size of an answer of JSON, in bytes: a hundred posts with long texts. */
const MAX_JSON = 64 * 1024 * 1024;
/** Maximum pages of a list, of a hundred items each. */
const MAX_PAGES = 10_000;
/** Maximum redirects of one request. */
const MAX_REDIRECTS = 3;
/** Time for an answer to arrive, in milliseconds. */
const ANSWER_MS = 300_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Members of a site's index that are read. */
interface SiteIndex {
  readonly home?: string;
  readonly url?: string;
  /** The site's paths: kinds of content that it does not have are not asked for. */
  readonly routes?: Readonly<Record<string, unknown>>;
}

/** Every status that a list of posts can be asked for beside the trash's neighbours. */
const STATUSES = 'publish,future,draft,pending,private,trash';

/**
 * Reads a WordPress site, or another Waybridge, by its REST API into the document that an import takes: users, terms, media
 * with their files, pages, posts, comments; with credentials of an administrator also what is not published, revisions and
 * settings.
 *
 * The site is a stranger: its answers are bounded in size, depth, number and time, it leads to no other host with credentials,
 * and files on other hosts are fetched by https only.
 *
 * @param api address of the API, which ends in `/wp-json`
 * @param deadline the end of the time that one answer has
 * @throws ImportError where the site does not answer as such
 */
export async function readSite(
  api: string,
  reader: SiteReader | null,
  fetchAddress: Fetch,
  deadline: () => AbortSignal = () => AbortSignal.timeout(ANSWER_MS),
): Promise<unknown> {
  const root = api.replace(/\/$/, '');
  if (!URL.canParse(root)) throw new ImportError(`${api} is no address: give one that ends in /wp-json`);
  if (reader && !/^https:/i.test(root)) throw new ImportError('Credentials are sent by https only: give that address');
  const headers: Record<string, string> = reader ? { authorization: basic(reader) } : {};
  const index = await ask<SiteIndex>('/');
  const edit = reader ? { context: 'edit' } : { context: 'view' };
  const byId = { orderby: 'id', order: 'asc', ...edit };
  const everyStatus = reader ? { status: STATUSES } : {};
  const isThere = ({ many }: ContentKind) => !index.routes || `/wp/v2/${many}` in index.routes;
  const items: Record<string, Entry[]> = {};
  const revisions: Entry[] = [];
  for (const kind of CONTENT_KINDS.filter(isThere)) {
    const { many, isUploaded } = kind;
    const found = await list(`/wp/v2/${many}`, isUploaded ? byId : { ...byId, ...everyStatus });
    items[many] = isUploaded ? await withFiles(found) : found;
    if (reader && !isUploaded) revisions.push(...(await revisionsOf(many, found)));
  }
  return {
    base_url: index.home ?? index.url ?? '',
    settings: reader ? await ask('/wp/v2/settings') : {},
    users: await list('/wp/v2/users', byId),
    categories: await list('/wp/v2/categories', byId),
    tags: await list('/wp/v2/tags', byId),
    ...items,
    revisions,
    comments: await list('/wp/v2/comments', { ...byId, ...(reader ? { status: 'any', type: 'all' } : {}) }),
  };

  async function list(path: string, parameters: Readonly<Record<string, string>>): Promise<Entry[]> {
    const found = new Map<number, Entry>();
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = new URLSearchParams({ ...parameters, per_page: '100', page: String(page) });
      const address = `${root}${path}?${query}`;
      const answer = await get(address, MAX_JSON, headers);
      pages = Number(answer.headers.get('x-wp-totalpages') ?? 1);
      if (!(pages <= MAX_PAGES)) throw new ImportError(`${address} names more than ${MAX_PAGES} pages: import a file`);
      const before = found.size;
      for (const entry of parsed<Entry[]>(answer, Array.isArray)) found.set(entry.id, entry);
      if (page > 1 && found.size === before)
        throw new ImportError(`${address} answers nothing new: its pages do not end`);
    }
    return [...found.values()];
  }

  async function revisionsOf(path: string, items: readonly Entry[]): Promise<Entry[]> {
    const found: Entry[] = [];
    for (const { id } of items) {
      found.push(...(await ask<Entry[]>(`/wp/v2/${path}/${id}/revisions?context=edit&per_page=100`)));
    }
    return found;
  }

  async function withFiles(media: readonly Entry[]): Promise<Entry[]> {
    const complete: Entry[] = [];
    for (const item of media) {
      const { sizes = {} } = (item.media_details ?? {}) as { readonly sizes?: Record<string, { source_url?: string }> };
      const scaled: [string, string][] = [];
      for (const [name, { source_url }] of Object.entries(sizes)) {
        if (name !== 'full' && source_url) scaled.push([name, await file(source_url)]);
      }
      complete.push({
        ...item,
        file_base64: await file(String(item.source_url)),
        size_files: Object.fromEntries(scaled),
      });
    }
    return complete;
  }

  /** Files are public: they are fetched without credentials, which other hosts would see. */
  async function file(address: string): Promise<string> {
    return (await get(address, UPLOAD_LIMIT, {})).bytes.toString('base64');
  }

  async function ask<T>(path: string): Promise<T> {
    return parsed<T>(await get(root + path, MAX_JSON, headers), (value) => typeof value === 'object' && value !== null);
  }

  async function get(asked: string, max: number, sent: Record<string, string>): Promise<Answer> {
    const signal = deadline();
    let address = asked;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const { protocol, origin } = addressOf(address);
      const isElsewhere = origin !== new URL(root).origin;
      if (isElsewhere && (sent === headers || protocol !== 'https:')) {
        throw new ImportError(
          `${asked} leads to ${address}, another host: ${sent === headers ? 'give that address' : 'import a file'}`,
        );
      }
      try {
        const answer = await fetchAddress(address, { headers: sent, redirect: 'manual', signal });
        const location = answer.headers.get('location');
        if (!REDIRECTS.has(answer.status) || location === null) {
          if (!answer.ok)
            throw new ImportError(`${address} answers ${answer.status}: give an address that ends in /wp-json`);
          return { address, headers: answer.headers, bytes: await bytesOf(answer, address, max) };
        }
        await answer.body?.cancel();
        address = URL.canParse(location, address) ? new URL(location, address).href : location;
      } catch (error) {
        if (error instanceof ImportError) throw error;
        const reason = signal.aborted ? 'takes too long to answer' : 'does not answer';
        throw new ImportError(`${address} ${reason}: try again, or import a file`, { cause: error });
      }
    }
    throw new ImportError(`${asked} leads from one address to the next: give the last one`);
  }
}

/** What a site answered, as far as it was read. */
interface Answer {
  readonly address: string;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

function addressOf(address: string): URL {
  if (!URL.canParse(address)) throw new ImportError(`The site names the address ${address}, which is none`);
  return new URL(address);
}

async function bytesOf({ body }: Response, address: string, max: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > max) throw new ImportError(`${address} answers more than ${max / 1024 / 1024} MiB: import a file`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

/** Reads JSON of limited depth. @throws ImportError where it is none, or not what was asked for */
function parsed<T>({ address, bytes }: Answer, isExpected: (value: unknown) => boolean): T {
  const text = bytes.toString('utf8');
  if (findTooDeep(text, MAX_DEPTH) !== null) {
    throw new ImportError(`${address} answers JSON that is nested more than ${MAX_DEPTH} deep: import a file`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isExpected(value)) return value as T;
  } catch {
    // Said below.
  }
  throw new ImportError(`${address} answers something else than a site: give an address that ends in /wp-json`);
}

function basic({ username, applicationPassword }: SiteReader): string {
  return `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString('base64')}`;
}
