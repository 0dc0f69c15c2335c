import { notFound } from '../../schema/service-error.ts';
import type { Store, ShownQuery } from '../store/store.ts';

/**
 * The one document of a model that is in the access scope, with the fields of its record.
 *
 * @param noun names what is missing if there is none
 * @throws ServiceError NOT_FOUND
 */
export async function shownRecord<Document, Shown, Hidden extends keyof Document & string = never>(
  model: Store<Document, Shown>,
  query: ShownQuery<Hidden>,
  noun: string,
): Promise<Shown & Pick<Document, Hidden>> {
  const found = await model.readOneShown(query);
  if (!found) throw notFound(noun);
  return found;
}
