import { foldText } from '../models/content-item.ts';
import { continueAfter } from '../models/sequence.ts';
import { DEFAULT_SETTINGS, readSettings } from '../models/site-settings.ts';
import { nameKeyOf, TermStore } from '../models/term.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import type { Service } from '../../models/store/service.ts';
import { recountTerms } from '../items/pending/recount-terms.ts';

const NAMED = { taxonomy: 'category', name: 'Uncategorized', parent: 0 } as const;

/**
 * Adds the category of posts without a category, as WordPress has it from the start, unless another term has its number or
 * the site has another default. Idempotent; a site of an older version gets it, too, with the posts that name it.
 */
export async function ensureDefaultCategory(service: Service): Promise<void> {
  const { default_category: id } = await readSettings(service);
  if (id === null || id !== DEFAULT_SETTINGS.default_category) return;
  if (await TermStore.exists(service, { id })) return;
  await continueAfter(service, 'terms', id);
  const term = { ...NAMED, id, name_folded: foldText(NAMED.name), name_key: nameKeyOf(NAMED), slug: 'uncategorized' };
  await insertIfAbsent(() => TermStore.create(service, term), 'id', 'slug', 'name_key');
  await recountTerms(service, [id]);
}
