import { CommandError } from './command-error.ts';

/** Does work on the file of the embedded database; a failure of the file is reported as a sentence, with advice. */
export async function onDatabaseFile<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const { MongoError } = await import('../../embedded/bson/mongo-error.ts');
  const { knownAdvice } = await import('../../server/database/file-advice.ts');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MongoError)) throw error;
    const advice = knownAdvice(error);
    throw new CommandError(advice === null ? error.message : `${error.message}; ${advice}`, { cause: error });
  }
}
