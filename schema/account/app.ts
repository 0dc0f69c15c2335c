import { Field, InputType, ObjectType } from 'type-graphql';

import { SpacedDateTime } from '../date-time-scalars.ts';
import { NotNull } from '../not-null.ts';

/** A third-party application registered with the developer platform. */
@ObjectType({ simpleResolvers: true, description: 'A registered third-party application.' })
export class App {
  @Field(() => String, { description: "The app's client id." })
  readonly client_id!: string;

  @Field(() => String, { description: 'Name shown to those who are asked to grant access.' })
  readonly name!: string;

  @Field(() => [String], { description: 'Where a browser may be sent after sign-in.' })
  readonly redirect_uris!: string[];

  @Field(() => [String], { description: 'Scopes that the app may ask for.' })
  readonly scopes!: string[];

  @Field(() => Boolean, {
    description: 'Whether it runs where no secret can be kept, such as a phone; then it has none, and must use PKCE.',
  })
  readonly is_public!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether it must use PKCE (RFC 7636): a public app always; one with a secret unless that was switched off.',
  })
  readonly requires_pkce!: boolean;

  @Field(() => SpacedDateTime, {
    nullable: true,
    description:
      'When the operator of the service reviewed the app, `YYYY-MM-DD hh:mm:ss` (UTC); null where nobody has. The consent page warns of such an app.',
  })
  readonly reviewed!: Date | null;

  @Field(() => SpacedDateTime, { description: 'When the app was registered, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;
}

/** The fields of a new app. */
@InputType({ description: 'The fields of a new app.' })
export class AppInput {
  @Field(() => String, { description: 'Name shown to those who are asked to grant access.' })
  readonly name!: string;

  @Field(() => [String], {
    description:
      'Where a browser may be sent; https, or http on localhost; for a public app also a private scheme, `com.example.app:/callback`.',
  })
  readonly redirect_uris!: string[];

  @Field(() => Boolean, { defaultValue: false, description: 'Whether it runs where no secret can be kept.' })
  readonly is_public!: boolean;

  @Field(() => Boolean, {
    defaultValue: true,
    description: 'Whether it must use PKCE although it has a secret; a public app always must.',
  })
  readonly requires_pkce!: boolean;
}

/** The fields of an app that its developers change; those that are absent stay as they are. */
@InputType({ description: 'The fields of an app to change; those that are absent stay as they are.' })
export class AppUpdateInput {
  @NotNull()
  @Field(() => String, {
    nullable: true,
    description:
      'Name shown to those who are asked to grant access. Another name ends the review of the app, unless the operator gives it.',
  })
  readonly name?: string | null;

  @NotNull()
  @Field(() => [String], {
    nullable: true,
    description: 'Where a browser may be sent, all of them. A further one ends the review, as another name does.',
  })
  readonly redirect_uris?: string[] | null;

  @NotNull()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether an app that has a secret must use PKCE; a public app always must.',
  })
  readonly requires_pkce?: boolean | null;
}

/** Credentials of an app; the only answer that shows its secret. */
@ObjectType({ simpleResolvers: true, description: "An app's credentials, with the only showing of its secret." })
export class AppCredentials {
  @Field(() => String, { description: "The app's client id." })
  readonly client_id!: string;

  @Field(() => String, { nullable: true, description: 'Its secret, shown this once; null for a public app.' })
  readonly client_secret!: string | null;
}
