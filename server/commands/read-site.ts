import { CommandError } from './command-error.ts';

/** Who reads a site: without credentials, only what it publishes is read, as it is shown. */
export interface SiteReader {
  readonly username: string;
  readonly applicationPassword: string;
}

/** Fetches an address. */
export type Fetch = (address: string, init: { readonly headers: Record<string, string> }) => Promise<Response>;

type Entry = Readonly<Record<string, unknown>> & { readonly id: number };

/** Every status that a list of posts can be asked for beside the trash's neighbours. */
const STATUSES = 'publish,future,draft,pending,private,trash';

/**
 * Reads a WordPress site, or another Waybridge, by its REST API into the document that an import takes: users, terms, media
 * with their files, pages, posts, comments; with credentials of an administrator also what is not published, revisions and
 * settings.
 *
 * @param api address of the API, which ends in `/wp-json`
 * @throws CommandError where the site does not answer as such
 */
export async function readSite(api: string, reader: SiteReader | null, fetchAddress: Fetch): Promise<unknown> {
  const root = api.replace(/\/$/, '');
  if (reader && !/^https:/i.test(root)) throw new CommandError('Credentials are sent by https only: give that address');
  const headers: Record<string, string> = reader ? { authorization: basic(reader) } : {};
  const index = await ask<{ readonly home?: string; readonly url?: string }>('/');
  const edit = reader ? { context: 'edit' } : { context: 'view' };
  const byId = { orderby: 'id', order: 'asc', ...edit };
  const everyStatus = reader ? { status: STATUSES } : {};
  const posts = await list('/wp/v2/posts', { ...byId, ...everyStatus });
  const pages = await list('/wp/v2/pages', { ...byId, ...everyStatus });
  return {
    base_url: index.home ?? index.url ?? '',
    settings: reader ? await ask('/wp/v2/settings') : {},
    users: await list('/wp/v2/users', byId),
    categories: await list('/wp/v2/categories', byId),
    tags: await list('/wp/v2/tags', byId),
    media: await withFiles(await list('/wp/v2/media', byId)),
    pages,
    posts,
    revisions: reader ? [...(await revisionsOf('posts', posts)), ...(await revisionsOf('pages', pages))] : [],
    comments: await list('/wp/v2/comments', { ...byId, ...(reader ? { status: 'any', type: 'all' } : {}) }),
  };

  async function list(path: string, parameters: Readonly<Record<string, string>>): Promise<Entry[]> {
    const found: Entry[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = new URLSearchParams({ ...parameters, per_page: '100', page: String(page) });
      const answer = await get(`${root}${path}?${query}`);
      pages = Number(answer.headers.get('x-wp-totalpages') ?? 1);
      found.push(...((await answer.json()) as Entry[]));
    }
    return found;
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
    const answer = await get(address, {});
    return Buffer.from(await answer.arrayBuffer()).toString('base64');
  }

  async function ask<T>(path: string): Promise<T> {
    return (await get(root + path)).json() as Promise<T>;
  }

  async function get(address: string, sent: Record<string, string> = headers): Promise<Response> {
    let answer: Response;
    try {
      answer = await fetchAddress(address, { headers: sent });
    } catch (error) {
      throw new CommandError(`${address} does not answer`, { cause: error });
    }
    if (!answer.ok)
      throw new CommandError(`${address} answers ${answer.status}: give an address that ends in /wp-json`);
    return answer;
  }
}

function basic({ username, applicationPassword }: SiteReader): string {
  return `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString('base64')}`;
}
