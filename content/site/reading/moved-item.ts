import { ContentItemStore, type StoredItem } from '../../models/content-item.ts';
import { typesWhere } from '../../schema/kinds/content-kinds.ts';
import type { ContentContext } from '../../access/content-context.ts';
import { isPublic, permanentPath } from '../../items/former-paths.ts';
import { encodedPart } from '../../items/item-by-url.ts';
import { loadParents } from '../../items/item-extras.ts';
import { publishedByUrl } from '../../oembed/own-embed.ts';
import { slugOf } from '../../rendering/slug.ts';

/** Maximum number of moves that are followed: that of a page, and those of pages above it. */
const MAX_MOVES = 5;

/** The published item that was at a path before, or of which WordPress guesses that it is meant; null if there is none. */
export async function movedItem(path: string, context: ContentContext): Promise<StoredItem | null> {
  return (await formerItem(path, context)) ?? guessedItem(path, context);
}

/** The item that was at a path, or below an item that was at the beginning of the path. */
async function formerItem(path: string, { service, site }: ContentContext): Promise<StoredItem | null> {
  let parts = path.split('/').map(encodedPart);
  for (let moves = 0; moves < MAX_MOVES; moves += 1) {
    const beginnings = parts.map((_, at) => parts.slice(0, at + 1).join('/')).reverse();
    const found = await ContentItemStore.find(service, { former_paths: { $in: beginnings } }).sort({ modified: -1 });
    const items = found.filter(isPublic);
    const left = beginnings.find((beginning) => items.some((item) => item.former_paths.includes(beginning)));
    const item = left !== undefined && items.find((one) => one.former_paths.includes(left));
    const now = item ? permanentPath(item, (await loadParents(service, [item])).parentOf) : null;
    if (left === undefined || now === null) return null;
    parts = [...now.split('/'), ...parts.slice(left.split('/').length)];
    const there = await publishedByUrl(service, `${site}/${parts.join('/')}`, site);
    if (there !== null) return there;
  }
  return null;
}

/**
 * The published post or page whose slug begins with the last part of a path, on the day that the path names, if it does. Rule:
 * WordPress's `redirect_guess_404_permalink`; of several, the first by its slug.
 */
async function guessedItem(path: string, { service }: ContentContext): Promise<StoredItem | null> {
  const [, day = '', name = ''] = /^(?:(\d{4}\/\d{2}\/\d{2})\/)?(?:.*\/)?([^/]+)$/.exec(path) ?? [];
  const start = slugOf(encodedPart(name));
  if (start === '') return null;
  const date = day.replaceAll('/', '-');
  return ContentItemStore.findOne(service, {
    type: { $in: typesWhere(({ isUploaded }) => !isUploaded) },
    status: 'publish',
    slug: { $gte: start, $lt: `${start}\uffff` },
    ...(date === '' ? {} : { date: { $gte: date, $lt: `${date}U` } }),
  }).sort({ slug: 1, id: 1 });
}
