import { ServiceError } from './service-error.ts';

/** Maximum length of a name, in characters after trimming. */
export const MAX_NAME_LENGTH = 255;

/** Control characters, line breaks, and those that change the direction of the following text (UAX #9, section 2). */
const CONTROL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** A visible character; the Braille blank is not one. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{White_Space}\u2800]/u;

/** The error message for an invalid name, to follow the name of its parameter; null if it is valid. */
export function nameFault(text: string): string | null {
  const { length } = [...text];
  if (length < 1 || length > MAX_NAME_LENGTH) return `must have 1 to ${MAX_NAME_LENGTH} characters`;
  if (CONTROL.test(text)) return 'must not have control characters or line breaks';
  return VISIBLE.test(text) ? null : 'must have a visible character';
}

/**
 * Trims a text for people.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter, unless it has 1 to 255 characters, one of them visible, and no controls
 */
export function checkName(parameter: string, text: string): string {
  const trimmed = text.trim();
  const fault = nameFault(trimmed);
  if (fault !== null) throw new ServiceError('BAD_REQUEST', `${parameter} ${fault}`);
  return trimmed;
}

/**
 * Converts a text to one of the words.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter and the words
 */
export function checkChoice<Word extends string>(parameter: string, words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new ServiceError('BAD_REQUEST', `${parameter} must be one of ${words.join(', ')}`);
  return found;
}
