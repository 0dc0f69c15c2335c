import { Extensions, Field, InputType, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { GraphqlOnly } from '../graphql-only.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { GroupName } from './group-name.ts';
import { Tag } from './tag.ts';
import { NotNull } from '../not-null.ts';

/** Rights of a user in the account. */
export const AccountRole = closedList('AccountRole', 'What a user may do in the account.', {
  administrator: 'Everything that the scopes of an app allow.',
  viewer: 'Sees, and changes nothing.',
  driver: 'Sees itself, and the trips that it drove.',
});

/** One of {@link AccountRole}. */
export type AccountRole = keyof typeof AccountRole;

/** A person who signs in for an account. */
@ObjectType({ simpleResolvers: true, description: 'A person who signs in for an account.' })
export class User {
  @Field(() => String, { description: 'Unique user key.' })
  readonly key!: string;

  @Field(() => String, { nullable: true, description: 'First name.' })
  readonly first_name!: string | null;

  @Field(() => String, { nullable: true, description: 'Last name.' })
  readonly last_name!: string | null;

  @Field(() => String, { nullable: true, description: 'Address to sign in with; null where nobody can sign in yet.' })
  readonly email!: string | null;

  @Field(() => AccountRole, { defaultValue: 'administrator', description: 'What the user may do in the account.' })
  readonly account_role!: AccountRole;

  @Field(() => String, { nullable: true, description: 'Language and region in which to show things, such as `de-DE`.' })
  readonly preferred_locale!: string | null;

  @Field(() => [String], { description: 'Groups to which the user is restricted; none means unrestricted.' })
  readonly group_keys!: string[];

  @GraphqlOnly()
  @Field(() => [GroupName], { description: 'The groups in sight to which the user is restricted.' })
  readonly groups!: readonly GroupName[] | (() => Promise<readonly GroupName[]>);

  @GraphqlOnly()
  @Field(() => [Tag], { description: 'The marks of the account on the user.' })
  readonly tags!: readonly Tag[] | (() => Promise<readonly Tag[]>);

  @Field(() => Boolean, { description: 'Whether the user has been shut out.' })
  readonly disabled!: boolean;

  @Field(() => SpacedDateTime, { description: 'When the user was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, {
    nullable: true,
    description: 'When the user was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).',
  })
  readonly updated!: Date | null;
}

/** A user with the link by which a first password is set. */
@ObjectType({ simpleResolvers: true, description: 'A user who has been invited to set a password.' })
export class InvitedUser extends User {
  @Extensions({ access: ['owner'] })
  @Field(() => String, {
    nullable: true,
    description:
      'Link by which the user sets a first password; shown this once, to API keys only. Null for a user without e-mail address.',
  })
  readonly invitation_url!: string | null;
}

/** Fields of a user that requests may write. */
@InputType({ description: 'The writable fields of a user; a field left out stays as it is, null clears a name.' })
export class UserInput {
  @Field(() => String, { nullable: true, description: 'First name.' })
  readonly first_name?: string | null;

  @Field(() => String, { nullable: true, description: 'Last name.' })
  readonly last_name?: string | null;

  @NotNull()
  @Field(() => String, {
    nullable: true,
    description: 'Address to sign in with, unique among the users of the account.',
  })
  readonly email?: string | null;

  @NotNull()
  @Field(() => AccountRole, {
    nullable: true,
    description: 'What the user may do in the account; `viewer` for a new user unless given.',
  })
  readonly account_role?: AccountRole | null;

  @Field(() => String, { nullable: true, description: 'Language and region in which to show things, such as `de-DE`.' })
  readonly preferred_locale?: string | null;

  @NotNull()
  @Field(() => [String], {
    nullable: true,
    description: 'The groups to which the user is restricted; an empty list makes the user unrestricted.',
  })
  readonly group_keys?: string[] | null;
}
