import {
  BY_ID,
  CONTEXT,
  idOf,
  OFFSET,
  orderbyOf,
  orderOf,
  PAGING,
  textList,
  META,
  UNWANTED_ID,
} from '../list-parameters.ts';
import { isLogin } from '../email.ts';
import { type ParameterTable, written } from '../parameter.ts';
import { isNumeric, toWholeNumber, isTruthy } from '../php-values.ts';
import { USER_LOCALES } from '../records/website-user.ts';

/** `GET /wp/v2/users`. */
export const USER_LIST = {
  ...CONTEXT,
  ...PAGING,
  ...BY_ID,
  ...OFFSET,
  ...orderOf('asc'),
  ...orderbyOf('name', ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url']),
  slug: textList('Limit result set to users with one or more specific slugs.'),
  roles: textList(
    'Limit result set to users matching at least one specific role provided. Accepts csv list or single role.',
  ),
  who: { type: 'string', description: 'Limit result set to users who are considered authors.', enum: ['authors'] },
} as const satisfies ParameterTable;

const ID = idOf('Unique identifier for the user.');

/** `GET /wp/v2/users/{id}`. */
export const USER_READ = { ...ID, ...CONTEXT } as const satisfies ParameterTable;

/** `POST /wp/v2/users/me`. */
export const ME_WRITE = written({
  username: {
    type: 'string',
    description: 'Login name for the user.',
    checkLater: (value: unknown) => (isLogin(String(value)) ? undefined : 'Username contains invalid characters.'),
  },
  name: { type: 'string', description: 'Display name for the user.', clean: 'text' },
  first_name: { type: 'string', description: 'First name for the user.', clean: 'text' },
  last_name: { type: 'string', description: 'Last name for the user.', clean: 'text' },
  email: { type: 'string', description: 'The email address for the user.', format: 'email' },
  url: { type: 'string', description: 'URL of the user.', format: 'uri' },
  description: { type: 'string', description: 'Description of the user.' },
  locale: { type: 'string', description: 'Locale for the user.', enum: USER_LOCALES },
  nickname: { type: 'string', description: 'The nickname for the user.', clean: 'text' },
  slug: { type: 'string', description: 'An alphanumeric identifier for the user.' },
  roles: { type: 'array', description: 'Roles assigned to the user.', items: { type: 'string' }, ofNull: [] },
  password: { type: 'string', description: 'Password for the user (never included).', checkLater: checkPassword },
  ...META,
});

/** `POST /wp/v2/users`: a new user needs a login, an e-mail address and a password. */
export const USER_CREATE = {
  ...UNWANTED_ID,
  ...ME_WRITE,
  username: { ...ME_WRITE.username, required: true },
  email: { ...ME_WRITE.email, required: true },
  password: { ...ME_WRITE.password, required: true },
} as const satisfies ParameterTable;

/** `POST /wp/v2/users/{id}`. */
export const USER_WRITE = { ...ID, ...ME_WRITE } as const satisfies ParameterTable;

/** `DELETE /wp/v2/users/me`. */
export const ME_DELETE = {
  force: { type: 'boolean', description: 'Required to be true, as users do not support trashing.', default: false },
  reassign: {
    type: 'integer',
    description: "Reassign the deleted user's posts and links to this user ID.",
    required: true,
    check: checkReassign,
    convert: toWholeNumber,
  },
} as const satisfies ParameterTable;

/** `DELETE /wp/v2/users/{id}`. */
export const USER_DELETE = { ...ID, ...ME_DELETE } as const satisfies ParameterTable;

function checkPassword(value: unknown): string | undefined {
  const password = String(value);
  if (password === '' || password === '0') return 'Passwords cannot be empty.';
  return password.includes('\\') ? 'Passwords cannot contain the "\\" character.' : undefined;
}

/** Id of a user; `false` and an empty value mean that the posts are deleted with their author. */
function checkReassign(value: unknown): string | undefined {
  const isNothing = !isTruthy(value) || value === 'false';
  return isNothing || isNumeric(value) ? undefined : 'Invalid user parameter(s).';
}
