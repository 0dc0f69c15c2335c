import { ADDRESS, contentRecord, integer, metaField, type RecordOf, text, texts, untyped } from '../content-field.ts';
import { EDIT_ONLY, EMBEDDED_FIRST as ALWAYS, NOT_EMBEDDED } from '../display-context.ts';

/** The sizes of avatars in pixels. */
export const AVATAR_SIZES = [24, 48, 96] as const;

/** JSON Schema keywords of a field with {@link AVATAR_SIZES}. */
export const AVATAR_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(
    AVATAR_SIZES.map((size) => [
      size,
      {
        description: `Avatar URL with image size of ${size} pixels.`,
        type: 'string',
        format: 'uri',
        context: ['embed', 'view', 'edit'],
      },
    ]),
  ),
} as const;

/** Addresses of avatars by size in pixels. */
export type AvatarUrls = Readonly<Record<string, string>>;

/** The languages that a user may choose, apart from that of the site. */
export const USER_LOCALES = ['', 'en_US'] as const;

type Granted = Readonly<Record<string, boolean>>;

const REQUIRED = { schema: { required: true } } as const;
const STAMP = { readonly: true, schema: { format: 'date-time' } } as const;
const OBJECT = { readonly: true, schema: { type: 'object' } } as const;
const AVATARS = { readonly: true, schema: AVATAR_SCHEMA } as const;

/** A user of the website, as the content interface shows one. Specification: section D, `/wp/v2/users`. */
export const User = contentRecord({ name: 'User', title: 'user' }, 'A user of the website.', {
  id: integer(ALWAYS, 'Unique identifier for the user.', { readonly: true, linked: true }),
  username: text(EDIT_ONLY, 'Login name for the user.', REQUIRED),
  name: text(ALWAYS, 'Display name for the user.'),
  first_name: text(EDIT_ONLY, 'First name for the user.'),
  last_name: text(EDIT_ONLY, 'Last name for the user.'),
  email: text(EDIT_ONLY, 'The email address for the user.', { schema: { format: 'email', required: true } }),
  url: text(ALWAYS, 'URL of the user.', { schema: { format: 'uri' } }),
  description: text(ALWAYS, 'Description of the user.'),
  link: text(ALWAYS, 'Author URL of the user.', ADDRESS),
  locale: text(EDIT_ONLY, 'Locale for the user.', { schema: { enum: USER_LOCALES } }),
  nickname: text(EDIT_ONLY, 'The nickname for the user.'),
  slug: text(ALWAYS, 'An alphanumeric identifier for the user.'),
  registered_date: text(EDIT_ONLY, 'Registration date for the user.', STAMP),
  roles: texts(EDIT_ONLY, 'Roles assigned to the user.'),
  password: text([], 'Password for the user (never included).', REQUIRED),
  capabilities: untyped<Granted>(EDIT_ONLY, 'All capabilities assigned to the user.', OBJECT),
  extra_capabilities: untyped<Granted>(EDIT_ONLY, 'Any extra capabilities assigned to the user.', OBJECT),
  avatar_urls: untyped<AvatarUrls>(ALWAYS, 'Avatar URLs for the user.', AVATARS),
  meta: metaField(NOT_EMBEDDED),
});

/** Values of {@link User}. */
export type User = RecordOf<typeof User>;
