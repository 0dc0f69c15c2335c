import type { ContentContext } from '../../access/content-context.ts';
import { loadParents } from '../../items/item-extras.ts';
import type { StoredItem } from '../../models/content-item.ts';
import { permalinkOf } from '../../access/permalink.ts';
import { publishedByUrl } from '../../oembed/own-embed.ts';
import type { Form } from '../../../http/requests/form.ts';

/** Finds the published item that a form names, with its address; null where there is none. */
export async function sentAbout(
  form: Form,
  { service, site }: ContentContext,
): Promise<{ readonly item: StoredItem; readonly link: string } | null> {
  const [id] = /^[1-9]\d{0,14}$/.exec(form.one('post') ?? '') ?? [];
  const item = id === undefined ? null : await publishedByUrl(service, `${site}/?p=${id}`, site);
  return item && { item, link: permalinkOf(item, site, (await loadParents(service, [item])).parentOf) };
}
