import { contentRecord, type ContentField, flag, integer, LINK_ONLY, text } from '../content-field.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { CONTEXT } from '../list-parameters.ts';
import type { ParameterTable } from '../parameter.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const READONLY = { readonly: true } as const;

const FIELDS = {
  uuid: text(ALWAYS, 'The unique identifier for the application password.', READONLY),
  app_id: text(ALWAYS, 'A UUID provided by the application to uniquely identify it.'),
  name: text(ALWAYS, 'The name of the application password.'),
  created: text(NOT_EMBEDDED, 'The GMT date the application password was created.', READONLY),
  user: integer([], 'The user.', LINK_ONLY),
} as const;

/** A password of a user for a program, without itself. Source: WordPress 5.6, except when and where it was last used. */
export const ApplicationPassword = contentRecord(
  { name: 'ApplicationPassword', title: 'application-password' },
  'A password of a user for a program.',
  FIELDS,
);

/** A password that was just made, the only time that it is shown. */
export const NewApplicationPassword = contentRecord(
  { name: 'NewApplicationPassword', title: 'application-password' },
  'A new password of a user for a program.',
  {
    ...FIELDS,
    password: text(EDIT_ONLY, 'The generated password. Only available after adding an application.', READONLY),
  },
);

/** Result of revoking all passwords of a user. */
export const RevokedPasswords = contentRecord(
  { name: 'RevokedPasswords' },
  'All passwords of a user for programs, revoked.',
  {
    deleted: flag(ALWAYS, 'True.') as ContentField<true>,
    count: integer(ALWAYS, 'Number of the revoked passwords.'),
  },
);

const OF_USER = {
  user_id: { type: 'string', unlisted: true, pattern: '(?:[\\d]+|me)' },
} as const satisfies ParameterTable;
const ONE = { ...OF_USER, uuid: { type: 'string', unlisted: true } } as const satisfies ParameterTable;

const WRITTEN = {
  app_id: {
    type: 'string',
    description: 'A UUID provided by the application to uniquely identify it.',
    check: (value: unknown) => (value === '' || UUID.test(String(value)) ? undefined : 'app_id is not a valid UUID.'),
  },
  name: {
    type: 'string',
    description: 'The name of the application password.',
    clean: 'text',
    check: (value: unknown) =>
      typeof value === 'string' && value.trim() !== '' ? undefined : 'name must be at least 1 character long.',
  },
} as const satisfies ParameterTable;

/** `GET …/application-passwords`. */
export const PASSWORD_LIST = { ...OF_USER, ...CONTEXT } as const satisfies ParameterTable;
/** `GET …/application-passwords/{uuid}`. */
export const PASSWORD_READ = { ...ONE, ...CONTEXT } as const satisfies ParameterTable;
/** `POST …/application-passwords`. */
export const PASSWORD_CREATE = {
  ...OF_USER,
  ...WRITTEN,
  name: { ...WRITTEN.name, required: true },
} as const satisfies ParameterTable;
/** `POST …/application-passwords/{uuid}`. */
export const PASSWORD_WRITE = { ...ONE, ...WRITTEN } as const satisfies ParameterTable;
/** `DELETE …/application-passwords`. */
export const PASSWORDS_DELETE = OF_USER;
/** `DELETE …/application-passwords/{uuid}`. */
export const PASSWORD_DELETE = ONE;
