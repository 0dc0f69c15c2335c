import { type ContentKind, CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';

import type { Member } from './json-members.ts';
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
 * Reads a WordPress site, or another Waybridge, by its REST API as the members of the document that an import takes: users,
 * terms, media with their files, pages, posts, comments; with credentials of an administrator also drafts, revisions and
 * settings. The site is untrusted: its answers are bounded in size, depth, number and time, no other host gets credentials,
 * and files on other hosts are fetched by https only.
 * @param api address of the API, which ends in `/wp-json`
 * @param reader credentials of an administrator; null reads public content only
 * @param deadline makes the signal that ends one request
 * @throws ImportError if the site does not answer like one
 */
export async function* readSite(
  api: string,
  reader: SiteReader | null,
  fetchAddress: Fetch,
  deadline: () => AbortSignal = () => AbortSignal.timeout(ANSWER_MS),
): AsyncGenerator<Member> {
  const site = new SiteClient(api, reader, fetchAddress, deadline);
  const index = await site.read<SiteIndex>('/');
  yield { name: 'base_url', value: index.home ?? index.url ?? '', at: null };
  yield { name: 'settings', value: reader ? await site.read('/wp/v2/settings') : {}, at: null };
  const byId = { orderby: 'id', order: 'asc', context: reader ? 'edit' : 'view' };
  for (const name of ['users', 'categories', 'tags']) {
    const value: Entry[] = [];
    for await (const entry of site.list(`/wp/v2/${name}`, byId)) value.push(entry);
    yield { name, value, at: null };
  }
  const everyStatus = reader ? { status: STATUSES } : {};
  const isThere = ({ many }: ContentKind) => !index.routes || `/wp/v2/${many}` in index.routes;
  const revision = memberOf('revisions');
  for (const { many, isUploaded } of CONTENT_KINDS.filter(isThere)) {
    const item = memberOf(many);
    for await (const entry of site.list(`/wp/v2/${many}`, isUploaded ? byId : { ...byId, ...everyStatus })) {
      yield item(isUploaded ? await withFiles(site, entry) : entry);
      if (!reader || isUploaded) continue;
      const path = `/wp/v2/${many}/${entry.id}/revisions?context=edit&per_page=100`;
      for (const one of await site.read<Entry[]>(path)) yield revision(one);
    }
  }
  const comment = memberOf('comments');
  const everyComment = reader ? { status: 'any', type: 'all' } : {};
  for await (const entry of site.list('/wp/v2/comments', { ...byId, ...everyComment })) yield comment(entry);
}

/** Makes the function that makes the elements of a long list. */
function memberOf(name: string): (value: Entry) => Member {
  let at = 0;
  return (value) => ({ name, value, at: at++ });
}

async function withFiles(site: SiteClient, item: Entry): Promise<Entry> {
  const { sizes = {} } = (item.media_details ?? {}) as { readonly sizes?: Record<string, { source_url?: string }> };
  const size_files: Record<string, string> = {};
  for (const [name, { source_url }] of Object.entries(sizes)) {
    if (name !== 'full' && source_url) size_files[name] = await site.file(source_url);
  }
  return { ...item, file_base64: await site.file(String(item.source_url)), size_files };
}
