import { parseUrl } from '../../schema/parse-url.ts';
import { isWritten } from '../../schema/plain-url.ts';
import { findTooDeep } from '../../schema/json-depth.ts';
import { UPLOAD_LIMIT } from '../../http/requests/body-limits.ts';

import { ImportError } from './record-reader.ts';

/** Credentials of a user of another site. */
export interface SiteReader {
  readonly username: string;
  readonly applicationPassword: string;
}

/** Fetches an address, without following redirects. */
export type Fetch = (
  address: string,
  init: { readonly headers: Record<string, string>; readonly redirect: 'manual'; readonly signal: AbortSignal },
) => Promise<Response>;

/** An object of a list of the site. */
export type Entry = Readonly<Record<string, unknown>> & { readonly id: number };

/** Maximum depth of an answer, as in the content interface. */
const MAX_DEPTH = 512;
/** Maximum size of an answer of JSON, in bytes: a hundred posts with long texts. */
const MAX_JSON = 64 * 1024 * 1024;
/** Maximum number of pages of a list, of a hundred items each. */
const MAX_PAGES = 10_000;
/** Maximum number of redirects of one request. */
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** An answer of the site. */
interface Answer {
  readonly address: string;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Reads the REST API of an untrusted site: bounded in size, depth, number and time, with credentials for its host alone. */
export class SiteClient {
  readonly #root: string;
  readonly #credentials: Readonly<Record<string, string>>;

  /**
   * @param api address of the API, which ends in `/wp-json`
   * @param deadline makes the signal that ends one request
   * @throws ImportError if the address is not valid, or credentials would be sent without https
   */
  constructor(
    api: string,
    reader: SiteReader | null,
    private readonly fetchAddress: Fetch,
    private readonly deadline: () => AbortSignal,
  ) {
    this.#root = api.replace(/\/$/, '');
    if (!isWritten(api) || !parseUrl(this.#root))
      throw new ImportError(`${api} is not a valid address: give one that ends in /wp-json`);
    if (reader && !/^https:/i.test(api)) {
      throw new ImportError('Credentials are only sent over https: give an https address');
    }
    this.#credentials = reader ? { authorization: basic(reader) } : {};
  }

  /** Reads the JSON below a path of the API. */
  async read<T>(path: string): Promise<T> {
    const answer = await this.#get(this.#root + path, MAX_JSON, this.#credentials);
    return parsed<T>(answer, (value) => typeof value === 'object' && value !== null);
  }

  /** Reads all pages of a list, one after the other. */
  async *list(path: string, parameters: Readonly<Record<string, string>>): AsyncGenerator<Entry> {
    const found = new Set<number>();
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = new URLSearchParams({ ...parameters, per_page: '100', page: String(page) });
      const address = `${this.#root}${path}?${query}`;
      const answer = await this.#get(address, MAX_JSON, this.#credentials);
      pages = Number(answer.headers.get('x-wp-totalpages') ?? 1);
      if (!(pages <= MAX_PAGES)) {
        throw new ImportError(`${address} claims to have more than ${MAX_PAGES} pages: import a file`);
      }
      const before = found.size;
      for (const entry of parsed<Entry[]>(answer, Array.isArray)) {
        if (found.has(entry.id)) continue;
        found.add(entry.id);
        yield entry;
      }
      if (page > 1 && found.size === before) {
        throw new ImportError(`${address} repeats items of earlier pages: import a file`);
      }
    }
  }

  /** Reads a file as base64. Files are public: they are fetched without credentials, which other hosts would see. */
  async file(address: string): Promise<string> {
    return (await this.#get(address, UPLOAD_LIMIT, {})).bytes.toString('base64');
  }

  async #get(requested: string, max: number, headers: Readonly<Record<string, string>>): Promise<Answer> {
    const signal = this.deadline();
    let address = requested;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      this.#demandSafe(address, requested, headers);
      try {
        const answer = await this.fetchAddress(address, { headers, redirect: 'manual', signal });
        const location = answer.headers.get('location');
        if (!REDIRECTS.has(answer.status) || location === null) {
          if (answer.ok) return { address, headers: answer.headers, bytes: await bytesOf(answer, address, max) };
          throw new ImportError(`${address} answered ${answer.status}: give an address that ends in /wp-json`);
        }
        await answer.body?.cancel();
        address = parseUrl(location, address)?.href ?? location;
      } catch (error) {
        if (error instanceof ImportError) throw error;
        const reason = signal.aborted ? 'takes too long to answer' : 'does not answer';
        throw new ImportError(`${address} ${reason}: try again, or import a file`, { cause: error });
      }
    }
    throw new ImportError(`${requested} redirects more than ${MAX_REDIRECTS} times: give the final address`);
  }

  /** Rejects other hosts if credentials would be sent, and other hosts without https. */
  #demandSafe(address: string, requested: string, headers: Readonly<Record<string, string>>): void {
    const url = parseUrl(address);
    if (!url) throw new ImportError(`The site names an invalid address: ${address}`);
    const { protocol, origin } = url;
    if (origin === new URL(this.#root).origin) return;
    if (headers === this.#credentials) {
      throw new ImportError(`${requested} redirects to another host, ${address}: give that address`);
    }
    if (protocol !== 'https:') {
      throw new ImportError(`${address} is on another host and not served over https: import a file`);
    }
  }
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

/**
 * Reads JSON of limited depth.
 *
 * @throws ImportError if it is not valid, or not of the expected type
 */
function parsed<T>({ address, bytes }: Answer, isExpected: (value: unknown) => boolean): T {
  const text = bytes.toString('utf8');
  if (findTooDeep(text, MAX_DEPTH) !== null) {
    throw new ImportError(`${address} answers JSON that is nested more than ${MAX_DEPTH} deep: import a file`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isExpected(value)) return value as T;
  } catch {
    // Reported below.
  }
  throw new ImportError(`${address} is not a WordPress REST API: give an address that ends in /wp-json`);
}

function basic({ username, applicationPassword }: SiteReader): string {
  return `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString('base64')}`;
}
