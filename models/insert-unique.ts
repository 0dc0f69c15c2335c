import { insertIfAbsent } from './duplicate-key.ts';
import type { ServiceError } from '../schema/service-error.ts';

/**
 * Inserts what a unique index may refuse: the index decides, so that of two at once one is refused.
 *
 * @param taken makes the refusal to throw where the index knows such a document already
 */
export async function insertUnique(insert: () => Promise<unknown>, taken: () => ServiceError): Promise<void> {
  if (!(await insertIfAbsent(insert))) throw taken();
}
