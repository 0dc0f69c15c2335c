import type { ServiceError } from '../../schema/service-error.ts';

/** MongoDB's code for a document that a unique index rejects. */
const DUPLICATE_KEY = 11_000;
/** DocumentDB's code and message for one that `findOneAndUpdate` would insert beside another. */
const CONFLICTING_KEY = { code: 1, message: /conflicting key value|duplicate key value/ };

/** Returns true if a write failed because it violates a unique index, of one of the fields if any are given. */
export function isDuplicateKey(error: unknown, ...fields: readonly string[]): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  const { code, message } = error;
  if (code !== DUPLICATE_KEY && !(code === CONFLICTING_KEY.code && CONFLICTING_KEY.message.test(message))) return false;
  if (fields.length === 0) return true;
  if ('keyPattern' in error) return fields.some((field) => Object.hasOwn(error.keyPattern ?? {}, field));
  // Not every compatible server reports the pattern, but most name the index, which is named after its fields.
  const [, index] = /index:? '?"?([^'"\s]+)/i.exec(message) ?? [];
  return index === undefined || fields.some((field) => fieldsOf(index).includes(field));
}

/** The fields of an index, by its name: `email_1_account_key_-1`. */
function fieldsOf(index: string): readonly string[] {
  return index === '_id_' ? ['_id'] : index.split(/_-?1(?:_|$)/);
}

/** Inserts a document unless a unique index (of one of the fields, if any are given) has its keys; then returns false. */
export async function insertIfAbsent(insert: () => Promise<unknown>, ...fields: readonly string[]): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (isDuplicateKey(error, ...fields)) return false;
    throw error;
  }
}

/** Inserts a document, of which a unique index rejects all concurrent ones but one; throws the error of `taken`. */
export async function insertUnique<Inserted>(
  insert: () => Promise<Inserted>,
  taken: () => ServiceError,
): Promise<Inserted> {
  try {
    return await insert();
  } catch (error) {
    throw isDuplicateKey(error) ? taken() : error;
  }
}

/** Inserts, by one command, those of many documents whose keys are new; returns the places of the others. */
export async function insertMissing(insert: () => Promise<unknown>): Promise<ReadonlySet<number>> {
  try {
    await insert();
    return new Set();
  } catch (error) {
    const rejections = rejectionsOf(error);
    if (rejections.length === 0 || rejections.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return new Set(rejections.map(({ index }) => index));
  }
}

interface Rejection {
  readonly index: number;
  readonly code: number;
}

/** Lists the rejected documents of the driver's bulk write error, which has one or several. */
function rejectionsOf(error: unknown): readonly Rejection[] {
  if (!(error instanceof Error && 'writeErrors' in error)) return [];
  return [error.writeErrors as Rejection | readonly Rejection[]].flat();
}
