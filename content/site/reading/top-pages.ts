import type { ContentContext } from '../../access/content-context.ts';
import { listItems } from '../../items/list-items.ts';
import { PAGE } from '../../schema/kinds/content-kinds.ts';
import { permalinkOf } from '../../access/permalink.ts';
import { renderTitle } from '../../rendering/title.ts';

import type { NamedLink } from './article.ts';

/** The published pages that are below no other page, in the order that their authors gave them. */
export async function topPages(count: number, context: ContentContext): Promise<readonly NamedLink[]> {
  const args = { page: 1, per_page: count, order: 'asc', orderby: 'menu_order', parent: [0] } as const;
  const { items } = await listItems(PAGE, args, context);
  return items.map((item) => ({
    name: renderTitle(item.title),
    link: permalinkOf(item, context.site, () => undefined),
  }));
}
