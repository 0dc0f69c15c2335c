import { ContentItemModel, type StoredItem } from '../../../models/content/content-item.ts';
import { nextNumber } from '../../../models/content/sequence.ts';
import { type ContentContext, userIdOf } from '../content-context.ts';

/** What a revision keeps of an item. */
const KEPT = ['title', 'content', 'excerpt'] as const;

/** Keeps what an item has become, unless the last revision says the same. */
export async function saveRevision(item: StoredItem, context: ContentContext): Promise<void> {
  if (item.status === 'auto-draft') return;
  const last = await ContentItemModel.findOne({ type: 'revision', parent: item.id })
    .sort({ id: -1 })
    .lean<StoredItem | null>();
  if (last && KEPT.every((field) => spaced(last[field]) === spaced(item[field]))) return;
  const slug = `${item.id}-revision-v1`;
  await ContentItemModel.create({
    id: await nextNumber('items'),
    type: 'revision',
    status: 'inherit',
    parent: item.id,
    author: userIdOf(context),
    date: item.modified,
    date_gmt: item.modified_gmt,
    modified: item.modified,
    modified_gmt: item.modified_gmt,
    slug,
    guid: `${context.site}/${item.modified.slice(0, 10).replaceAll('-', '/')}/${slug}/`,
    title: item.title,
    title_folded: item.title_folded,
    content: item.content,
    excerpt: item.excerpt,
  });
}

/** The revisions of an item, the newest first. */
export async function revisionsOf(parent: number): Promise<StoredItem[]> {
  return ContentItemModel.find({ type: 'revision', parent })
    .sort({ date: -1, id: -1 })
    .select({ _id: 0 })
    .lean<StoredItem[]>();
}

/** White space at the ends and its kind make no difference. */
function spaced(text: string): string {
  return text
    .replace(/[\r\n]+/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .trim();
}
