import type { ServiceError } from '../../schema/service-error.ts';

/** MongoDB's code for a document that a unique index refuses. */
const DUPLICATE_KEY = 11_000;

/**
 * Inserts what a unique index may refuse: the index decides, so that of two at once one is refused.
 *
 * @param taken makes the refusal to throw where the index knows such a document already
 */
export async function insertUnlessTaken(insert: () => Promise<unknown>, taken: () => ServiceError): Promise<void> {
  try {
    await insert();
  } catch (error) {
    throw isDuplicate(error) ? taken() : error;
  }
}

/** Whether an insertion failed because a unique index knows such a document already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY;
}
