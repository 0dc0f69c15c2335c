/** MongoDB's code for a document that a unique index refuses. */
const DUPLICATE_KEY = 11_000;

/** Whether an insertion failed because a unique index knows such a document already. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY;
}

/** Inserts what a unique index may know already; false if it does. */
export async function insertUnlessThere(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
