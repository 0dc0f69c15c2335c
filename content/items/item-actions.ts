import type { Caller } from '../../auth/caller.ts';
import { may } from '../access/capabilities.ts';
import type { StoredItem } from '../models/content-item.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';

/** Lists the actions that a caller may do with an item, as relations of links name them: `publish` for `wp:action-publish`. */
export function actionsOn(item: StoredItem, caller: Caller): string[] {
  const kind = kindOf(item.type);
  if (!kind || !may(caller, 'edit_post', item)) return [];
  const mayPublish = may(caller, `publish_${kind.noun}`);
  const mayEditOthers = may(caller, `edit_others_${kind.noun}`);
  const actions: string[] = [];
  if (!kind.isUploaded && mayPublish) actions.push('publish');
  if (kind.canBeSticky && mayEditOthers && mayPublish) actions.push('sticky');
  if (mayEditOthers) actions.push('assign-author');
  for (const { field, taxonomy, toCreate } of kind.terms) {
    if (may(caller, toCreate)) actions.push(`create-${field}`);
    if (may(caller, 'assign_term', { taxonomy })) actions.push(`assign-${field}`);
  }
  return actions;
}
