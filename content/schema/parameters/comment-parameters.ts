import { isEmail } from '../email.ts';
import {
  BY_ID,
  CONTEXT,
  forceOf,
  idOf,
  OFFSET,
  orderbyOf,
  orderOf,
  PAGING,
  filterBy,
  numbers,
  dateTime,
  META,
  UNWANTED_ID,
} from '../list-parameters.ts';
import { type ParameterTable, written } from '../parameter.ts';
import { isTruthy } from '../php-values.ts';

/** `GET /wp/v2/comments`. */
export const COMMENT_LIST = {
  ...CONTEXT,
  ...PAGING,
  after: dateTime('Limit response to comments published after a given ISO8601 compliant date.'),
  author: numbers('Limit result set to comments assigned to specific user IDs. Requires authorization.'),
  author_exclude: numbers('Ensure result set excludes comments assigned to specific user IDs. Requires authorization.'),
  author_email: {
    type: 'string',
    description: 'Limit result set to that from a specific author email. Requires authorization.',
    format: 'email',
  },
  before: dateTime('Limit response to comments published before a given ISO8601 compliant date.'),
  ...BY_ID,
  ...OFFSET,
  ...orderOf('desc'),
  ...orderbyOf('date_gmt', ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type']),
  parent: filterBy('Limit result set to comments of specific parent IDs.'),
  parent_exclude: filterBy('Ensure result set excludes specific parent IDs.'),
  post: filterBy('Limit result set to comments assigned to specific post IDs.'),
  status: {
    type: 'string',
    description: 'Limit result set to comments assigned a specific status. Requires authorization.',
    default: 'approve',
    clean: 'key',
    checkedFirst: true,
  },
  type: {
    type: 'string',
    description: 'Limit result set to comments assigned a specific type. Requires authorization.',
    default: 'comment',
    clean: 'key',
    checkedFirst: true,
  },
  password: { type: 'string', description: 'The password for the post if it is password protected.' },
} as const satisfies ParameterTable;

const PASSWORD = {
  password: {
    type: 'string',
    description: 'The password for the parent post of the comment (if the post is password protected).',
  },
} as const satisfies ParameterTable;

/** `GET /wp/v2/comments/{id}`. */
export const COMMENT_READ = { ...idOf(), ...CONTEXT, ...PASSWORD } as const satisfies ParameterTable;

/** `DELETE /wp/v2/comments/{id}`. */
export const COMMENT_DELETE = {
  ...idOf(),
  ...forceOf('Whether to bypass trash and force deletion.'),
  ...PASSWORD,
} as const satisfies ParameterTable;

/** Fields of a comment that can be written; the text is an object or a string; its resolver handles both. */
const WRITABLE = written({
  author: { type: 'integer', description: 'The ID of the user object, if author was a user.' },
  author_email: {
    type: 'string',
    description: 'Email address for the object author.',
    checkedFirst: false,
    check: checkEmail,
    convert: (value) => (isTruthy(value) ? value : ''),
  },
  author_ip: { type: 'string', description: 'IP address for the object author.', format: 'ip', ofNull: '' },
  author_name: { type: 'string', description: 'Display name for the object author.', clean: 'text' },
  author_url: { type: 'string', description: 'URL for the object author.', format: 'uri' },
  author_user_agent: { type: 'string', description: 'User agent for the object author.', clean: 'text' },
  content: { type: 'object', description: 'The content for the object.', unchecked: true },
  date: dateTime("The date the object was published, in the site's timezone."),
  date_gmt: dateTime('The date the object was published, as GMT.'),
});

const { parent: PARENT, post: POST } = written({
  parent: { type: 'integer', description: 'The ID for the parent of the object.' },
  post: { type: 'integer', description: 'The ID of the associated post object.' },
});

const STATE = written({
  status: { type: 'string', description: 'State of the object.', clean: 'key' },
  ...META,
  type: { unchecked: true, unlisted: true },
});

/** `POST /wp/v2/comments`. */
export const COMMENT_CREATE = {
  ...UNWANTED_ID,
  ...WRITABLE,
  parent: { ...PARENT, default: 0 },
  post: { ...POST, default: 0 },
  ...STATE,
  password: { type: 'string', unlisted: true },
} as const satisfies ParameterTable;

/** `POST /wp/v2/comments/{id}`. */
export const COMMENT_WRITE = {
  ...idOf(),
  ...WRITABLE,
  parent: PARENT,
  post: POST,
  ...STATE,
} as const satisfies ParameterTable;

/** An address, or empty: a change may remove it from a comment. */
function checkEmail(value: unknown): string | undefined {
  const isNothing = typeof value !== 'object' && !isTruthy(value);
  return value === null || isNothing || isEmail(String(value)) ? undefined : 'Invalid email address.';
}
