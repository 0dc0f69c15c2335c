import { Field, InputType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime, SpacedDateTime } from '../date-time-scalars.ts';
import { EventName } from '../events/event.ts';
import { connectionOf } from '../page.ts';
import { inputOf, Writable, WritableInput } from '../writable.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** States of a webhook. */
export const WebhookStatus = closedList('WebhookStatus', 'The state of a webhook.', {
  active: 'Events are sent.',
  paused: 'Events are kept until the webhook is active again, for as long as changes are logged.',
  disabled: 'Events are not sent, because the receiver answered 410 or the access of its app ended.',
});

/** One of {@link WebhookStatus}. */
export type WebhookStatus = keyof typeof WebhookStatus;

/** An address to which events are posted as they happen. Fleet API: "Events and notifications". */
@RecordType('An address to which events are posted as they happen.')
export class Webhook {
  @Field(() => String, { description: 'Unique webhook key.' })
  readonly key!: string;

  @Writable(() => String, 'Address to which events are posted (https).', {
    option: '--url <url>',
    optionDescription: 'https address to which events are posted',
  })
  readonly url!: string;

  @Writable(() => [EventName], 'Kinds of events that are sent.', {
    option: '--event <name...>',
    optionDescription: 'kind of events that are sent; may be repeated',
  })
  readonly events!: EventName[];

  @NullableField(() => String, 'Client id of the app that owns it; null for a webhook of the account.')
  readonly client_id!: string | null;

  @Writable(() => WebhookStatus, 'The state of the webhook.', { inputDescription: '`active` or `paused`.' })
  readonly status!: WebhookStatus;

  @NullableField(() => String, 'Why the service paused or disabled it; null if it did not.')
  readonly notice!: string | null;

  @Field(() => SpacedDateTime, { description: 'When the webhook was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When the webhook was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** A page of webhooks. */
export const WebhookConnection = connectionOf(Webhook, 'Webhook');

/** A webhook with its secret, which is shown only once. */
@RecordType('A webhook with its secret, which is shown only once.')
export class IssuedWebhook extends Webhook {
  @Field(() => String, {
    description: 'Secret with which a receiver verifies signatures (Standard Webhooks). Shown only once.',
  })
  readonly secret!: string;
}

/** Fields of a webhook that its account sets; omitted fields stay unchanged. */
@WritableInput({ description: 'The writable fields of a webhook. Omitted fields stay unchanged.' })
export class WebhookInput extends inputOf(Webhook, { nulls: 'ignored' }) {}

/** Deliveries to be sent again; exactly one of the two fields is set. */
@InputType({ description: 'The deliveries of a webhook to repeat; exactly one field is required.' })
export class ReplayInput {
  @NullableField(() => String, 'Key of one delivery.')
  readonly delivery_key?: string | null;

  @NullableField(() => DateTime, 'Everything logged since this date-time (ISO 8601, GMT unless stated).')
  readonly since?: string | null;
}
