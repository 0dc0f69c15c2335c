import { Field, Int } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';
import { SECURITY_EVENTS } from './security-event-kinds.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** Kinds of events in the security log. */
export const SecurityEventKind = closedList('SecurityEventKind', 'Kind of a security event.', SECURITY_EVENTS);

/** One of {@link SecurityEventKind}. */
export type SecurityEventKind = keyof typeof SecurityEventKind;

/** Parties that can cause an event. */
export const ActorKind = closedList('ActorKind', 'Who caused an event.', {
  user: 'A signed-in user.',
  owner: 'The owner of the account, by API key.',
  app: 'A third-party app.',
  operator: 'The operator of the service, by command line.',
  service: 'The service itself.',
  visitor: 'An unauthenticated request.',
});

/** One of {@link ActorKind}. */
export type ActorKind = keyof typeof ActorKind;

/** An entry of the security log. */
@RecordType('An entry of the security log of an account. Entries never change.')
export class SecurityEvent {
  @Field(() => String, { description: 'Unique event key.' })
  readonly key!: string;

  @Field(() => SecurityEventKind, { description: 'What happened.' })
  readonly kind!: SecurityEventKind;

  @Field(() => DateTime, {
    name: 'timestamp',
    simple: false,
    description: 'When it happened, or first happened, ISO 8601 with offset.',
  })
  readonly time!: Date;

  @Field(() => Int, {
    description: 'Number of occurrences: failed sign-ins from one network within an hour are one event.',
  })
  readonly count!: number;

  @Field(() => ActorKind, { description: 'Who caused it.' })
  readonly actor!: ActorKind;

  @NullableField(() => String, 'Key of the user that the event is about.')
  readonly user_key!: string | null;

  @NullableField(
    () => String,
    'Further subject of the event: the id of an API key, device key, signing key, share or webhook, the ' +
      'client id of an app, or the key of a purged account.',
  )
  readonly subject!: string | null;

  @NullableField(() => String, 'Network of origin: the /24 of an IPv4 address, the /64 of an IPv6 address.')
  readonly network!: string | null;

  @NullableField(() => String, 'Browser of origin, such as `Firefox on Linux`.')
  readonly browser!: string | null;
}
