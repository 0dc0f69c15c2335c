import { Untyped } from '../../../schema/untyped.ts';

import { AVATAR_SCHEMA, type AvatarUrls } from './avatar-urls.ts';
import { ContentField, ContentRecord } from '../content-field.ts';
import { type DisplayContext, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { Integer } from '../integer.ts';

/** Fields of users that are shown whatever the context. */
const ALWAYS: readonly DisplayContext[] = ['embed', 'view', 'edit'];

/** The languages that a user may choose, beside that of the site. */
export const USER_LOCALES = ['', 'en_US'] as const;

/** A user of the website, as the content interface shows one. Specification: section D, `/wp/v2/users`. */
@ContentRecord('user', 'A user of the website.')
export class User {
  @ContentField(() => Integer, ALWAYS, 'Unique identifier for the user.', { readonly: true, linked: true })
  readonly id!: number;

  @ContentField(() => String, EDIT_ONLY, 'Login name for the user.', { schema: { required: true } })
  readonly username!: string;

  @ContentField(() => String, ALWAYS, 'Display name for the user.')
  readonly name!: string;

  @ContentField(() => String, EDIT_ONLY, 'First name for the user.')
  readonly first_name!: string;

  @ContentField(() => String, EDIT_ONLY, 'Last name for the user.')
  readonly last_name!: string;

  @ContentField(() => String, EDIT_ONLY, 'The email address for the user.', {
    schema: { format: 'email', required: true },
  })
  readonly email!: string;

  @ContentField(() => String, ALWAYS, 'URL of the user.', { schema: { format: 'uri' } })
  readonly url!: string;

  @ContentField(() => String, ALWAYS, 'Description of the user.')
  readonly description!: string;

  @ContentField(() => String, ALWAYS, 'Author URL of the user.', { readonly: true, schema: { format: 'uri' } })
  readonly link!: string;

  @ContentField(() => String, EDIT_ONLY, 'Locale for the user.', { schema: { enum: USER_LOCALES } })
  readonly locale!: string;

  @ContentField(() => String, EDIT_ONLY, 'The nickname for the user.')
  readonly nickname!: string;

  @ContentField(() => String, ALWAYS, 'An alphanumeric identifier for the user.')
  readonly slug!: string;

  @ContentField(() => String, EDIT_ONLY, 'Registration date for the user.', {
    readonly: true,
    schema: { format: 'date-time' },
  })
  readonly registered_date!: string;

  @ContentField(() => [String], EDIT_ONLY, 'Roles assigned to the user.')
  readonly roles!: readonly string[];

  @ContentField(() => String, [], 'Password for the user (never included).', { schema: { required: true } })
  readonly password!: never;

  @ContentField(() => Untyped, EDIT_ONLY, 'All capabilities assigned to the user.', {
    readonly: true,
    schema: { type: 'object' },
  })
  readonly capabilities!: Readonly<Record<string, boolean>>;

  @ContentField(() => Untyped, EDIT_ONLY, 'Any extra capabilities assigned to the user.', {
    readonly: true,
    schema: { type: 'object' },
  })
  readonly extra_capabilities!: Readonly<Record<string, boolean>>;

  @ContentField(() => Untyped, ALWAYS, 'Avatar URLs for the user.', { readonly: true, schema: AVATAR_SCHEMA })
  readonly avatar_urls!: AvatarUrls;

  @ContentField(() => Untyped, NOT_EMBEDDED, 'Meta fields.', { schema: { type: 'object', properties: [] } })
  readonly meta!: readonly never[];
}
