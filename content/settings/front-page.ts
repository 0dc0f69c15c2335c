import type { Service } from '../../models/store/service.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { changingContent } from '../caching/changing-content.ts';
import { ContentItemStore } from '../models/content-item.ts';
import { writeSettings } from '../models/site-settings.ts';
import { PAGE } from '../schema/kinds/content-kinds.ts';

/**
 * Makes a published page the front page of the website; 0 restores the front page of the service.
 *
 * @throws ServiceError BAD_REQUEST if there is no such page
 */
export async function setFrontPage(service: Service, id: number): Promise<void> {
  const filter = { id, type: PAGE.type, status: 'publish' } as const;
  if (id !== 0 && (await ContentItemStore.findOne(service, filter, { _id: 0, id: 1 })) === null) {
    throw new ServiceError('BAD_REQUEST', 'page_id must be the id of a published page, or 0');
  }
  const settings = { show_on_front: id === 0 ? 'posts' : 'page', page_on_front: id } as const;
  await changingContent(service, () => writeSettings(service, settings));
}
