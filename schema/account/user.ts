import { Extensions, Field } from 'type-graphql';

import { checkName } from '../check-name.ts';
import { closedList } from '../closed-list.ts';
import { GraphqlOnly, NotNull, NullableField, RecordType } from '../field-decorators.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { GroupName } from './group-name.ts';
import { Tag } from './tag.ts';
import { ServiceError } from '../service-error.ts';
import { type FieldRule, inputOf, NAME, Writable, WritableInput } from '../writable.ts';

/** Rights of a user in the account. */
export const AccountRole = closedList('AccountRole', 'Role of a user in the account.', {
  administrator: 'Full access; apps are limited by their scopes.',
  viewer: 'Read-only access.',
  driver: "Access to the user's own record and the trips that the user drove.",
});

/** One of {@link AccountRole}. */
export type AccountRole = keyof typeof AccountRole;

/** A name of a person; a blank one counts as empty. */
const PERSON_NAME: FieldRule<string> = {
  read: (parameter, text) => (text.trim() === '' ? null : NAME.read(parameter, text)),
};

/** A language tag, which is stored in its canonical form (BCP 47); an empty one counts as absent. */
const LOCALE: FieldRule<string> = {
  read: (parameter, text) => {
    if (text === '') return null;
    const name = checkName(parameter, text);
    try {
      return Intl.getCanonicalLocales(name)[0] ?? null;
    } catch {
      throw new ServiceError('BAD_REQUEST', `${parameter} must be a language tag such as de-DE`);
    }
  },
};

/** A person who signs in for an account. */
@RecordType('A person with access to an account.')
export class User {
  @Field(() => String, { description: 'Unique user key.' })
  readonly key!: string;

  @Writable(() => String, 'First name.', { nullable: true, rule: PERSON_NAME, option: '--first-name <name>' })
  readonly first_name!: string | null;

  @Writable(() => String, 'Last name.', { nullable: true, rule: PERSON_NAME, option: '--last-name <name>' })
  readonly last_name!: string | null;

  @Writable(() => String, 'E-mail address for sign-in; null if the user cannot sign in yet.', { nullable: true })
  readonly email!: string | null;

  @Writable(() => AccountRole, 'Role of the user in the account.', {
    defaultValue: 'administrator',
    inputDescription: 'Role of the user in the account; `viewer` by default for a new user.',
  })
  readonly account_role!: AccountRole;

  @Writable(() => String, 'Preferred language and region, such as `de-DE`.', {
    nullable: true,
    rule: LOCALE,
    option: '--preferred-locale <locale>',
    optionDescription: 'language and region, such as de-DE',
  })
  readonly preferred_locale!: string | null;

  @Writable(() => [String], 'Groups to which the user is restricted; empty for an unrestricted user.', {
    inputDescription: 'The groups to which the user is restricted; an empty list makes the user unrestricted.',
  })
  readonly group_keys!: string[];

  @GraphqlOnly()
  @Field(() => [GroupName], {
    description: 'Groups to which the user is restricted, as far as the caller can see them.',
  })
  readonly groups!: readonly GroupName[] | (() => Promise<readonly GroupName[]>);

  @GraphqlOnly()
  @Field(() => [Tag], { description: 'Tags on the user.' })
  readonly tags!: readonly Tag[] | (() => Promise<readonly Tag[]>);

  @Field(() => Boolean, { description: 'True if the user is disabled and cannot sign in.' })
  readonly disabled!: boolean;

  @Field(() => SpacedDateTime, { description: 'When the user was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @NullableField(() => SpacedDateTime, 'When the user was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).')
  readonly updated!: Date | null;
}

/** A user with the link by which a first password is set. */
@RecordType('A user who was invited to set a password.')
export class InvitedUser extends User {
  @Extensions({ access: ['owner'] })
  @NullableField(
    () => String,
    'Link with which the user sets a first password; shown only once, and to API keys only. Null for a user ' +
      'without an e-mail address.',
  )
  readonly invitation_url!: string | null;
}

/** Fields of a user that requests may write. */
@WritableInput({ description: 'The writable fields of a user. Omitted fields stay unchanged; null clears a name.' })
export class UserInput extends inputOf(User) {
  @NotNull()
  @NullableField(() => String, 'E-mail address for sign-in, unique among the users of the account.')
  readonly email?: string | null;
}
