import { ServiceError } from '../../schema/service-error.ts';

/** Returns the word that a text is. @throws ServiceError BAD_REQUEST naming the parameter and the words */
export function checkChoice<Word extends string>(parameter: string, words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new ServiceError('BAD_REQUEST', `${parameter} must be one of ${words.join(', ')}`);
  return found;
}
