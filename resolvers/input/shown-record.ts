import type { ModelOf } from '../../models/model-of.ts';
import { readOneShown, type ShownQuery } from '../../models/read-shown.ts';
import { notFound } from '../../schema/service-error.ts';

/**
 * The one document of a model that is in the access scope, with the fields of its record.
 *
 * @param noun names what is missing where there is none
 * @throws ServiceError NOT_FOUND
 */
export async function shownRecord<Document, Shown, Hidden extends keyof Document & string = never>(
  model: ModelOf<Document, Shown>,
  query: ShownQuery<Hidden>,
  noun: string,
): Promise<Shown & Pick<Document, Hidden>> {
  const found = await readOneShown(model, query);
  if (!found) throw notFound(noun);
  return found;
}
