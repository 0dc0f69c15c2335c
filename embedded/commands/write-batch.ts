import { MongoError, check } from '../bson/mongo-error.ts';
import type { Doc, Value } from '../bson/value.ts';
import type { Arguments } from './arguments.ts';
import { ok } from './command.ts';

/**
 * Runs the statements of a write command and answers with the totals they count up. A statement that fails ends an
 * ordered batch; an unordered batch continues.
 */
export function runBatch<T>(
  args: Arguments,
  statements: readonly T[],
  totals: Record<string, Value>,
  run: (statement: T, index: number) => void,
): Doc {
  check(
    statements.length > 0 && statements.length <= 100_000,
    'InvalidLength',
    'Write batch sizes must be between 1 and 100000',
  );
  const writeErrors: Doc[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      writeErrors.push(new Map<string, Value>([['index', index], ...errorFields(error)]));
      if (args.value('ordered') !== false) break;
    }
  }
  return ok({ ...totals, ...(writeErrors.length > 0 ? { writeErrors } : {}) });
}

/** The fields of an error in an answer. */
export function errorFields(error: MongoError): Array<[string, Value]> {
  return [['code', error.code], ['codeName', error.codeName], ['errmsg', error.message], ...error.details];
}
