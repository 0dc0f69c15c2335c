import { Field, Int, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';
import { EventName } from '../events/event.ts';
import { connectionOf } from '../page.ts';

/** States of a delivery. */
export const DeliveryStatus = closedList('DeliveryStatus', 'The state of a delivery.', {
  pending: 'It is to be sent, or sent again.',
  delivered: 'The receiver has answered 2xx.',
  set_aside: 'The receiver has rejected it too often; later events are sent nevertheless.',
  dropped: 'The event was corrected, deleted or hidden before it could be sent.',
});

/** One of {@link DeliveryStatus}. */
export type DeliveryStatus = keyof typeof DeliveryStatus;

/** One request of a delivery. */
@ObjectType({ simpleResolvers: true, description: 'One request of a delivery.' })
export class DeliveryAttempt {
  @Field(() => DateTime, { description: 'When it was sent, ISO 8601 with offset.' })
  readonly timestamp!: Date;

  @Field(() => Int, { nullable: true, description: 'Status of the answer; null if there was none.' })
  readonly status_code!: number | null;

  @Field(() => String, { nullable: true, description: 'Beginning of the answer, or why there was none.' })
  readonly response!: string | null;

  @Field(() => Int, { description: 'Milliseconds from the request to the end of the answer.' })
  readonly duration_ms!: number;
}

/** An event that is sent to a webhook. */
@ObjectType({ simpleResolvers: true, description: 'An event that is sent to a webhook.' })
export class WebhookDelivery {
  @Field(() => String, { description: 'Unique delivery key: the `webhook-id` of all its requests.' })
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
    description: 'True if it tells that an event which was sent is none any more.',
  })
  readonly deleted!: boolean;

  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => DeliveryStatus, { description: 'The state of the delivery.' })
  readonly status!: DeliveryStatus;

  @Field(() => DateTime, { description: 'When it came to be sent, ISO 8601 with offset.' })
  readonly created!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it is sent again; null if it is not waiting.' })
  readonly next_attempt!: Date | null;

  @Field(() => String, { nullable: true, description: 'The body as it was last sent; null if it was not sent yet.' })
  readonly body!: string | null;

  @Field(() => [DeliveryAttempt], { description: 'Its last requests, the newest last.' })
  readonly attempts!: DeliveryAttempt[];
}

/** A page of deliveries. */
export const WebhookDeliveryConnection = connectionOf(WebhookDelivery, 'WebhookDelivery');
