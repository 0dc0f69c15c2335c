import { checkName } from '../../schema/check-name.ts';
import type { StoredUser } from '../../models/account/user.ts';
import type { UserInput } from '../../schema/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** Fields of a user that describe a person. */
type PersonalFields = Partial<Pick<StoredUser, 'first_name' | 'last_name' | 'preferred_locale'>>;

/**
 * Reads the fields that describe a person and are given; null or an empty text clears one.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export function personalFields(input: UserInput): PersonalFields {
  return {
    ...(input.first_name !== undefined && { first_name: nameOf('first_name', input.first_name) }),
    ...(input.last_name !== undefined && { last_name: nameOf('last_name', input.last_name) }),
    ...(input.preferred_locale !== undefined && { preferred_locale: localeOf(input.preferred_locale) }),
  };
}

function nameOf(parameter: string, text: string | null): string | null {
  return text === null || text.trim() === '' ? null : checkName(parameter, text);
}

/** The canonical form of a language tag (BCP 47). */
function localeOf(text: string | null): string | null {
  if (text === null || text === '') return null;
  try {
    return Intl.getCanonicalLocales(checkName('preferred_locale', text))[0] ?? null;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('BAD_REQUEST', 'preferred_locale must be a language tag such as de-DE');
  }
}
