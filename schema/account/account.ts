import { Extensions, Field, Int } from 'type-graphql';

import { GraphqlOnly, NullableField, RecordType } from '../field-decorators.ts';
import { DateTime, SpacedDateTime } from '../date-time-scalars.ts';
import { type FieldRule, inputOf, NAME, Writable, WritableInput } from '../writable.ts';
import { TripSettings } from './trip-settings.ts';
import { Retention } from './retention.ts';

/** A text for people, or an empty one. */
const NAME_OR_EMPTY: FieldRule<string> = {
  read: (parameter, text) => (text === '' ? text : NAME.read(parameter, text)),
};

/** Payment of an account. Shape: decisions, "Records". */
@RecordType('Payment method of the account.')
export class BillingInfo {
  @NullableField(() => String, 'For example `card` or `invoice`.')
  readonly billing_method!: string | null;

  @NullableField(() => String, 'Brand of the card.')
  readonly card_type!: string | null;

  @NullableField(() => Int, 'Month in which the card expires, 1 to 12.')
  readonly expiration_month!: number | null;

  @NullableField(() => Int, 'Year in which the card expires.')
  readonly expiration_year!: number | null;

  @NullableField(() => String, 'Last four digits of the card.')
  readonly last_four!: string | null;

  @NullableField(() => SpacedDateTime, 'When this was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).')
  readonly updated!: Date | null;
}

/** The tier on which the account's partner sells. */
@RecordType("Sales tier of the account's partner.")
export class PartnerTier {
  @Field(() => String, { description: 'Unique key of the tier.' })
  readonly key!: string;

  @Field(() => String, { description: 'Name of the tier.' })
  readonly name!: string;

  @NullableField(() => String, 'Key of the partner.')
  readonly partner_key!: string | null;
}

/** A customer of the service. Specification: "Account". */
@RecordType('A customer of the service. Every other record belongs to one account.')
export class Account {
  @Field(() => String, { description: 'Unique account key.' })
  readonly key!: string;

  @Writable(() => String, 'Name of the business.', { nullable: true, rule: NAME_OR_EMPTY, option: '--nickname <name>' })
  readonly nickname!: string | null;

  @Writable(() => String, 'Identifier of the account in a system of the customer.', {
    nullable: true,
    rule: NAME_OR_EMPTY,
    option: '--external-id <id>',
    optionDescription: 'identifier in a system of the customer',
  })
  readonly external_id!: string | null;

  @Writable(() => String, 'Street address.', { nullable: true, rule: NAME_OR_EMPTY, option: '--street <street>' })
  readonly street!: string | null;

  @Writable(() => String, 'City.', { nullable: true, rule: NAME_OR_EMPTY, option: '--city <city>' })
  readonly city!: string | null;

  @Writable(() => String, 'State or region.', { nullable: true, rule: NAME_OR_EMPTY, option: '--state <state>' })
  readonly state!: string | null;

  @Writable(() => String, 'Postal code.', { nullable: true, rule: NAME_OR_EMPTY, option: '--zipcode <code>' })
  readonly zipcode!: string | null;

  @Field(() => SpacedDateTime, { description: 'When the account was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @NullableField(() => SpacedDateTime, 'When setup was completed, `YYYY-MM-DD hh:mm:ss` (UTC).')
  readonly setup_complete!: Date | null;

  @Field(() => DateTime, { description: 'When the account was last changed, ISO 8601 with offset.' })
  readonly updated!: Date;

  @NullableField(() => String, 'Key of the owning user.')
  readonly owner_key!: string | null;

  @NullableField(() => String, 'Key of the partner.')
  readonly partner_key!: string | null;

  @NullableField(() => String, 'Name of the partner.')
  readonly partner_name!: string | null;

  @NullableField(() => PartnerTier, 'Tier of the partner.')
  readonly partner_tier!: PartnerTier | null;

  @Extensions({ access: ['billing.read'] })
  @NullableField(() => BillingInfo, 'Payment method of the account. Apps need `billing.read`.')
  readonly billing_info!: BillingInfo | null;

  @GraphqlOnly()
  @NullableField(() => Retention, 'How long positions are kept; null for no limit.')
  readonly retention!: Retention | null;

  @GraphqlOnly()
  @NullableField(() => TripSettings, 'What decides where trips begin and end; null for the defaults.')
  readonly trip_settings!: TripSettings | null;

  @Field(() => Int, { description: 'Number of users of the account.' })
  readonly user_count!: number;
}

/** Fields that `POST /account` may change. Other fields of the body are ignored; `""` clears a field. */
@WritableInput({
  description:
    'The writable fields of an account, of at most 255 characters each; an omitted field is unchanged, an empty string clears it.',
})
export class AccountInput extends inputOf(Account, { nulls: 'rejected' }) {}
