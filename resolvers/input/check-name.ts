import { MAX_NAME_LENGTH } from '../../schema/name-length.ts';
import { ServiceError } from '../../schema/service-error.ts';

/**
 * Trims a text for people.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter, unless it has 1 to 255 characters
 */
export function checkName(parameter: string, text: string): string {
  const trimmed = text.trim();
  const length = [...trimmed].length;
  if (length < 1 || length > MAX_NAME_LENGTH) {
    throw new ServiceError('BAD_REQUEST', `${parameter} must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  return trimmed;
}

/**
 * Returns the word that a text is.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter and the words
 */
export function checkChoice<Word extends string>(parameter: string, words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new ServiceError('BAD_REQUEST', `${parameter} must be one of ${words.join(', ')}`);
  return found;
}
