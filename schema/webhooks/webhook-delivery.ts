import { Field, Int } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';
import { EventName } from '../events/event.ts';
import { connectionOf } from '../page.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** States of a delivery. */
export const DeliveryStatus = closedList('DeliveryStatus', 'The state of a delivery.', {
  pending: 'Waiting for the first or the next attempt.',
  delivered: 'The receiver answered 2xx.',
  set_aside: 'The receiver rejected it too often. Later events are still sent.',
  dropped: 'The event was corrected, deleted or hidden before it could be sent.',
});

/** One of {@link DeliveryStatus}. */
export type DeliveryStatus = keyof typeof DeliveryStatus;

/** One request of a delivery. */
@RecordType('One request of a delivery.')
export class DeliveryAttempt {
  @Field(() => DateTime, { description: 'When it was sent, ISO 8601 with offset.' })
  readonly timestamp!: Date;

  @NullableField(() => Int, 'Status of the response; null if there was none.')
  readonly status_code!: number | null;

  @NullableField(() => String, 'Beginning of the response, or why there was none.')
  readonly response!: string | null;

  @Field(() => Int, { description: 'Milliseconds from the request to the end of the response.' })
  readonly duration_ms!: number;
}

/** An event that is sent to a webhook. */
@RecordType('An event that is sent to a webhook.')
export class WebhookDelivery {
  @Field(() => String, { description: 'Unique delivery key; the `webhook-id` of all its requests.' })
  readonly key!: string;

  @Field(() => String, { description: 'Key of the webhook.' })
  readonly webhook_key!: string;

  @Field(() => EventName, { description: 'What happened.' })
  readonly event!: EventName;

  @Field(() => String, { description: 'Key of the event.' })
  readonly event_key!: string;

  @Field(() => DateTime, { description: 'When it happened, ISO 8601 with offset.' })
  readonly timestamp!: Date;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'True if this retracts an event that was delivered.',
  })
  readonly deleted!: boolean;

  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => DeliveryStatus, { description: 'The state of the delivery.' })
  readonly status!: DeliveryStatus;

  @Field(() => DateTime, { description: 'When the delivery was created, ISO 8601 with offset.' })
  readonly created!: Date;

  @NullableField(() => DateTime, 'When the next attempt is due; null if none is pending.')
  readonly next_attempt!: Date | null;

  @NullableField(() => String, 'The body as it was last sent; null if it has not been sent yet.')
  readonly body!: string | null;

  @Field(() => [DeliveryAttempt], { description: 'The last requests, newest last.' })
  readonly attempts!: DeliveryAttempt[];
}

/** A page of deliveries. */
export const WebhookDeliveryConnection = connectionOf(WebhookDelivery, 'WebhookDelivery');
