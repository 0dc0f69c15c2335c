import { MongoError } from '../bson/mongo-error.ts';
import type { Doc, Value } from '../bson/value.ts';
import { ok } from './command.ts';

/** Runs the statements of a write command; one that is refused ends an ordered batch, and is only noted otherwise. */
export function runBatch<T>(
  statements: readonly T[],
  ordered: boolean,
  run: (statement: T, index: number) => void,
): Doc[] {
  if (statements.length === 0 || statements.length > 100_000)
    throw new MongoError('InvalidLength', 'Write batch sizes must be between 1 and 100000');
  const errors: Doc[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      errors.push(new Map<string, Value>([['index', index], ...errorFields(error)]));
      if (ordered) break;
    }
  }
  return errors;
}

/** The answer of a write command. */
export function batchReply(fields: Record<string, Value>, errors: Doc[]): Doc {
  return ok({ ...fields, ...(errors.length > 0 ? { writeErrors: errors } : {}) });
}

/** The fields by which an error tells a client what it is. */
export function errorFields(error: MongoError): Array<[string, Value]> {
  return [['code', error.code], ['codeName', error.codeName], ['errmsg', error.message], ...error.details];
}
