import { Field, Int, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';

/** Every kind of event in the security log, with its sentence for people. */
export const SECURITY_EVENTS = {
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_in_limited: 'Sign-in rejected after too many attempts',
  password_changed: 'Password changed',
  password_set: 'Password set by the operator',
  password_reset: 'Password reset by link',
  reset_link_issued: 'Reset link issued',
  session_ended: 'Browser signed out',
  sessions_ended: 'Signed out everywhere',
  user_added: 'User added',
  user_disabled: 'User disabled',
  user_enabled: 'User enabled',
  user_deleted: 'User deleted',
  user_restored: 'Deleted user restored',
  user_role_changed: 'Role of a user changed',
  user_groups_changed: 'Groups of a user changed',
  user_email_changed: 'E-mail address of a user changed',
  invitation_issued: 'Invitation link issued',
  account_created: 'Account created',
  account_removed: 'Account removed by the operator',
  account_restored: 'Removed account restored',
  account_purged: 'Removed account purged with all its data',
  retention_changed: 'Retention of positions changed',
  api_key_created: 'API key created',
  api_key_revoked: 'API key revoked',
  app_registered: 'App registered',
  app_changed: 'Name or redirect addresses of an app changed',
  app_approved: 'App approved by the operator',
  app_secret_rotated: 'Secret of an app replaced',
  app_pkce_required: 'PKCE required of an app',
  app_pkce_optional: 'PKCE made optional for an app',
  app_deleted: 'App deleted',
  grant_given: 'App allowed',
  grant_revoked: 'Access of an app revoked',
  grants_revoked: 'Access of all apps revoked',
  token_reused: 'Token of an app used twice; access of the app revoked',
  device_key_created: 'Device key created',
  device_key_revoked: 'Device key revoked',
  forwarder_key_created: 'Forwarder key created',
  forwarder_key_revoked: 'Forwarder key revoked',
  share_created: 'Share link made',
  share_ended: 'Share link ended or revoked',
  webhook_created: 'Webhook made',
  webhook_address_changed: 'Address of a webhook changed',
  webhook_secret_rotated: 'Secret of a webhook replaced',
  webhook_deleted: 'Webhook deleted',
  signing_keys_rotated: 'Signing keys rotated',
} as const;

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
@ObjectType({
  simpleResolvers: true,
  description: 'An entry of the security log of an account. Entries never change.',
})
export class SecurityEvent {
  @Field(() => String, { description: 'Unique event key.' })
  readonly key!: string;

  @Field(() => SecurityEventKind, { description: 'What happened.' })
  readonly kind!: SecurityEventKind;

  @Field(() => DateTime, { description: 'When it happened, or first happened, ISO 8601 with offset.' })
  readonly time!: Date;

  @Field(() => Int, {
    description: 'Number of occurrences: failed sign-ins from one network within an hour are one event.',
  })
  readonly count!: number;

  @Field(() => ActorKind, { description: 'Who caused it.' })
  readonly actor!: ActorKind;

  @Field(() => String, { nullable: true, description: 'Key of the user that the event is about.' })
  readonly user_key!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Further subject of the event: the id of an API key, device key, signing key, share or webhook, the ' +
      'client id of an app, or the key of a purged account.',
  })
  readonly subject!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Network of origin: the /24 of an IPv4 address, the /64 of an IPv6 address.',
  })
  readonly network!: string | null;

  @Field(() => String, { nullable: true, description: 'Browser of origin, such as `Firefox on Linux`.' })
  readonly browser!: string | null;
}
