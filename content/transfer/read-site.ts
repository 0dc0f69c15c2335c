import { type ContentKind, CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';

import { type Entry, type Fetch, SiteClient, type SiteReader } from './site-client.ts';

/** Time for an answer to arrive, in milliseconds. */
const ANSWER_MS = 300_000;

/** Members of a site's index that are read. */
interface SiteIndex {
  readonly home?: string;
  readonly url?: string;
  /** The site's paths: kinds of content that it does not have are not requested. */
  readonly routes?: Readonly<Record<string, unknown>>;
}

/** Every status by which posts can be filtered, except those of automatic drafts and attachments. */
const STATUSES = 'publish,future,draft,pending,private,trash';

/**
 * Reads a WordPress site, or another Waybridge, by its REST API into the document that an import takes: users, terms, media
 * with their files, pages, posts, comments; with credentials of an administrator also drafts, revisions and settings.
 * The site is untrusted: its answers are bounded in size, depth, number and time, no other host gets credentials,
 * and files on other hosts are fetched by https only.
 * @param api address of the API, which ends in `/wp-json`
 * @param reader credentials of an administrator; null reads public content only
 * @param deadline makes the signal that ends one request
 * @throws ImportError if the site does not answer like one
 */
export async function readSite(
  api: string,
  reader: SiteReader | null,
  fetchAddress: Fetch,
  deadline: () => AbortSignal = () => AbortSignal.timeout(ANSWER_MS),
): Promise<unknown> {
  const site = new SiteClient(api, reader, fetchAddress, deadline);
  const index = await site.read<SiteIndex>('/');
  const byId = { orderby: 'id', order: 'asc', context: reader ? 'edit' : 'view' };
  const everyStatus = reader ? { status: STATUSES } : {};
  const isThere = ({ many }: ContentKind) => !index.routes || `/wp/v2/${many}` in index.routes;
  const items: Record<string, Entry[]> = {};
  const revisions: Entry[] = [];
  for (const kind of CONTENT_KINDS.filter(isThere)) {
    const { many, isUploaded } = kind;
    const found = await site.list(`/wp/v2/${many}`, isUploaded ? byId : { ...byId, ...everyStatus });
    items[many] = isUploaded ? await withFiles(site, found) : found;
    if (reader && !isUploaded) revisions.push(...(await revisionsOf(site, many, found)));
  }
  return {
    base_url: index.home ?? index.url ?? '',
    settings: reader ? await site.read('/wp/v2/settings') : {},
    users: await site.list('/wp/v2/users', byId),
    categories: await site.list('/wp/v2/categories', byId),
    tags: await site.list('/wp/v2/tags', byId),
    ...items,
    revisions,
    comments: await site.list('/wp/v2/comments', { ...byId, ...(reader ? { status: 'any', type: 'all' } : {}) }),
  };
}

async function revisionsOf(site: SiteClient, path: string, items: readonly Entry[]): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const { id } of items) {
    found.push(...(await site.read<Entry[]>(`/wp/v2/${path}/${id}/revisions?context=edit&per_page=100`)));
  }
  return found;
}

async function withFiles(site: SiteClient, media: readonly Entry[]): Promise<Entry[]> {
  const complete: Entry[] = [];
  for (const item of media) {
    const { sizes = {} } = (item.media_details ?? {}) as { readonly sizes?: Record<string, { source_url?: string }> };
    const size_files: Record<string, string> = {};
    for (const [name, { source_url }] of Object.entries(sizes)) {
      if (name !== 'full' && source_url) size_files[name] = await site.file(source_url);
    }
    complete.push({ ...item, file_base64: await site.file(String(item.source_url)), size_files });
  }
  return complete;
}
