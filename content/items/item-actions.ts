import type { Caller } from '../../auth/caller.ts';
import { may } from '../access/capabilities.ts';
import type { StoredItem } from '../models/content-item.ts';

/** What a caller may do with an item, as relations of links name it: `publish` for `wp:action-publish`. */
export function actionsOn(item: StoredItem, caller: Caller): string[] {
  if (!may(caller, 'edit_post', item)) return [];
  const isPage = item.type === 'page';
  const mayPublish = may(caller, isPage ? 'publish_pages' : 'publish_posts');
  const mayEditOthers = may(caller, isPage ? 'edit_others_pages' : 'edit_others_posts');
  const actions: string[] = [];
  if (item.type !== 'attachment' && mayPublish) actions.push('publish');
  if (item.type === 'post' && mayEditOthers && mayPublish) actions.push('sticky');
  if (mayEditOthers) actions.push('assign-author');
  if (item.type === 'post') {
    if (may(caller, 'manage_categories')) actions.push('create-categories');
    if (may(caller, 'edit_posts')) actions.push('assign-categories', 'create-tags', 'assign-tags');
  }
  return actions;
}
