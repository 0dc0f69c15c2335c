import { Field, InputType } from 'type-graphql';

import { SpacedDateTime } from '../date-time-scalars.ts';
import { NotNull, NullableField, RecordType } from '../field-decorators.ts';

/** A third-party application registered with the developer platform. */
@RecordType('A registered third-party application.')
export class App {
  @Field(() => String, { description: "The app's client id." })
  readonly client_id!: string;

  @Field(() => String, { description: 'Name shown on the consent page.' })
  readonly name!: string;

  @Field(() => [String], { description: 'Redirect addresses after sign-in.' })
  readonly redirect_uris!: string[];

  @Field(() => [String], { description: 'Scopes that the app can request.' })
  readonly scopes!: string[];

  @Field(() => Boolean, {
    description:
      'True for a public app, which runs where a secret cannot be kept, such as a phone: it has no secret and ' +
      'must use PKCE.',
  })
  readonly is_public!: boolean;

  @Field(() => Boolean, {
    description: 'True if the app must use PKCE (RFC 7636): always for a public app, by default for one with a secret.',
  })
  readonly requires_pkce!: boolean;

  @NullableField(
    () => SpacedDateTime,
    'When the operator of the service reviewed the app, `YYYY-MM-DD hh:mm:ss` (UTC); null if it has not been ' +
      'reviewed. The consent page warns about apps that have not been reviewed.',
  )
  readonly reviewed!: Date | null;

  @Field(() => SpacedDateTime, { description: 'When the app was registered, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;
}

/** The fields of a new app. */
@InputType({ description: 'The fields of a new app.' })
export class AppInput {
  @Field(() => String, { description: 'Name shown on the consent page.' })
  readonly name!: string;

  @Field(() => [String], {
    description:
      'Redirect addresses: https, or http on localhost; for a public app also a private scheme, such as ' +
      '`com.example.app:/callback`.',
  })
  readonly redirect_uris!: string[];

  @Field(() => Boolean, { defaultValue: false, description: 'True for a public app, which cannot keep a secret.' })
  readonly is_public!: boolean;

  @Field(() => Boolean, {
    defaultValue: true,
    description: 'True if an app with a secret must use PKCE; public apps always must.',
  })
  readonly requires_pkce!: boolean;
}

/** The fields of an app that its developers may change; omitted ones stay unchanged. */
@InputType({ description: 'The writable fields of an app. Omitted fields stay unchanged.' })
export class AppUpdateInput {
  @NotNull()
  @NullableField(
    () => String,
    'Name shown on the consent page. A new name ends the review of the app, unless the operator sets it.',
  )
  readonly name?: string | null;

  @NotNull()
  @NullableField(() => [String], 'All redirect addresses. Adding one ends the review of the app, as a new name does.')
  readonly redirect_uris?: string[] | null;

  @NotNull()
  @NullableField(() => Boolean, 'True if an app with a secret must use PKCE; public apps always must.')
  readonly requires_pkce?: boolean | null;
}

/** Credentials of an app; the only answer that shows its secret. */
@RecordType('The credentials of an app with its secret, which is shown only once.')
export class AppCredentials {
  @Field(() => String, { description: "The app's client id." })
  readonly client_id!: string;

  @NullableField(() => String, 'The secret, shown only once; null for a public app.')
  readonly secret!: string | null;
}
