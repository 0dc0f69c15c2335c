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
  @ContentField(() => Integer, {
    in: ALWAYS,
    description: 'Unique identifier for the user.',
    readonly: true,
    linked: true,
  })
  readonly id!: number;

  @ContentField(() => String, {
    in: EDIT_ONLY,
    description: 'Login name for the user.',
    schema: { required: true },
  })
  readonly username!: string;

  @ContentField(() => String, { in: ALWAYS, description: 'Display name for the user.' })
  readonly name!: string;

  @ContentField(() => String, { in: EDIT_ONLY, description: 'First name for the user.' })
  readonly first_name!: string;

  @ContentField(() => String, { in: EDIT_ONLY, description: 'Last name for the user.' })
  readonly last_name!: string;

  @ContentField(() => String, {
    in: EDIT_ONLY,
    description: 'The email address for the user.',
    schema: { format: 'email', required: true },
  })
  readonly email!: string;

  @ContentField(() => String, { in: ALWAYS, description: 'URL of the user.', schema: { format: 'uri' } })
  readonly url!: string;

  @ContentField(() => String, { in: ALWAYS, description: 'Description of the user.' })
  readonly description!: string;

  @ContentField(() => String, {
    in: ALWAYS,
    description: 'Author URL of the user.',
    readonly: true,
    schema: { format: 'uri' },
  })
  readonly link!: string;

  @ContentField(() => String, {
    in: EDIT_ONLY,
    description: 'Locale for the user.',
    schema: { enum: USER_LOCALES },
  })
  readonly locale!: string;

  @ContentField(() => String, { in: EDIT_ONLY, description: 'The nickname for the user.' })
  readonly nickname!: string;

  @ContentField(() => String, { in: ALWAYS, description: 'An alphanumeric identifier for the user.' })
  readonly slug!: string;

  @ContentField(() => String, {
    in: EDIT_ONLY,
    description: 'Registration date for the user.',
    readonly: true,
    schema: { format: 'date-time' },
  })
  readonly registered_date!: string;

  @ContentField(() => [String], { in: EDIT_ONLY, description: 'Roles assigned to the user.' })
  readonly roles!: readonly string[];

  @ContentField(() => String, {
    in: [],
    description: 'Password for the user (never included).',
    schema: { required: true },
  })
  readonly password!: never;

  @ContentField(() => Untyped, {
    in: EDIT_ONLY,
    description: 'All capabilities assigned to the user.',
    readonly: true,
    schema: { type: 'object' },
  })
  readonly capabilities!: Readonly<Record<string, boolean>>;

  @ContentField(() => Untyped, {
    in: EDIT_ONLY,
    description: 'Any extra capabilities assigned to the user.',
    readonly: true,
    schema: { type: 'object' },
  })
  readonly extra_capabilities!: Readonly<Record<string, boolean>>;

  @ContentField(() => Untyped, {
    in: ALWAYS,
    description: 'Avatar URLs for the user.',
    readonly: true,
    schema: AVATAR_SCHEMA,
  })
  readonly avatar_urls!: AvatarUrls;

  @ContentField(() => Untyped, {
    in: NOT_EMBEDDED,
    description: 'Meta fields.',
    schema: { type: 'object', properties: [] },
  })
  readonly meta!: readonly never[];
}
