import { Field } from 'type-graphql';

import { checkName } from '../check-name.ts';
import { DateTime } from '../date-time-scalars.ts';
import { inputOf, Writable, WritableInput } from '../writable.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** A credential without its secret, which is stored hashed. */
@RecordType('A credential; its secret is never shown again.')
export class SecretKey {
  @Field(() => String, { description: 'Key with which it is revoked.' })
  readonly key!: string;

  @Writable(() => String, 'Display name.', {
    nullable: true,
    inputDescription: 'Display name, 1 to 255 characters; null clears it.',
    rule: { read: checkName },
    option: '--name <name>',
  })
  readonly name!: string | null;

  @Field(() => DateTime, { description: 'When the key was issued, ISO 8601 with offset.' })
  readonly created!: Date;

  @NullableField(() => DateTime, 'When the key was last used, to the minute; null if never.')
  readonly last_used!: Date | null;

  @NullableField(() => DateTime, 'When it was revoked; null while it is valid.')
  readonly revoked!: Date | null;
}

/** A credential of an account's owner. */
@RecordType("A credential of the account's owner; its secret is never shown again.")
export class ApiKey extends SecretKey {}

/** A credential of a device or a forwarder. */
@RecordType('A credential that adds positions; its secret is never shown again.')
export class IngestKey extends SecretKey {
  @NullableField(() => DateTime, 'When the key ends unless it is used before; null if it stays valid.')
  readonly expires!: Date | null;
}

/** A credential of a forwarder. */
@RecordType("A credential that adds positions of the account's devices; its secret is never shown again.")
export class ForwarderKey extends SecretKey {
  @Field(() => Boolean, { description: 'True if it creates unknown devices.' })
  readonly creates_devices!: boolean;
}

/** A new key with its secret, which is shown only once. */
@RecordType('A new API key with its secret, which is shown only once.')
export class IssuedApiKey {
  @Field(() => String, { description: 'Key with which it is revoked.' })
  readonly key!: string;

  @Field(() => String, { description: 'The secret, to be sent as `Service-Api-Key`. Shown only once.' })
  readonly secret!: string;
}

/** A new device key with its secret, which is shown only once. */
@RecordType('A new device key with its secret, which is shown only once.')
export class IssuedDeviceKey {
  @Field(() => String, { description: 'Key with which it is revoked.' })
  readonly key!: string;

  @Field(() => String, { description: 'The secret, which the device sends as bearer token. Shown only once.' })
  readonly secret!: string;
}

/** A new forwarder key with its secret, which is shown only once. */
@RecordType('A new forwarder key with its secret, which is shown only once.')
export class IssuedForwarderKey {
  @Field(() => String, { description: 'Key with which it is revoked.' })
  readonly key!: string;

  @Field(() => String, { description: 'The secret, which the forwarder sends as bearer token. Shown only once.' })
  readonly secret!: string;
}

/** The fields of a credential to change. */
@WritableInput({ description: 'The writable fields of a credential. Omitted fields stay unchanged.' })
export class SecretKeyChange extends inputOf(SecretKey) {}
