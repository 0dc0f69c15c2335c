import { type Caller, accessScopeOf } from '../../auth/caller.ts';
import { madeBy, makerOf } from '../../auth/maker.ts';
import { type Actor, recordSecurityEvent } from '../../auth/security-events.ts';
import { newKey } from '../../models/key.ts';
import { type StoredWebhook, WebhookStore } from '../../models/webhooks/webhook.ts';
import { deliveriesAccessScope, WebhookDeliveryStore } from '../../models/webhooks/webhook-delivery.ts';
import type { SecurityEventKind } from '../../schema/account/security-event.ts';
import type { EventName } from '../../schema/events/event.ts';
import { parsePlainUrl } from '../../schema/plain-url.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import type { IssuedWebhook, WebhookInput } from '../../schema/webhooks/webhook.ts';

import { lastNumber } from '../../notifying/changes/number-changes.ts';
import { numberWritten } from '../../notifying/changes/number-written.ts';
import { deleteAll } from '../../tracking/retention/delete-all.ts';
import { sendAgain } from '../../notifying/webhooks/send-again.ts';
import { newWebhookSecret, rotatedSecrets } from '../../notifying/webhooks/webhook-secrets.ts';
import type { Service } from '../../models/store/service.ts';

/** Webhooks that an account, or an app for one of its users, may have. */
const MAX_WEBHOOKS = 20;
/** Maximum length of an address, in characters. */
const MAX_URL_LENGTH = 2000;

/**
 * Creates a webhook, for events from now on.
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export async function createWebhook(
  service: Service,
  caller: Caller,
  actor: Actor,
  input: WebhookInput,
): Promise<IssuedWebhook> {
  const accessScope = accessScopeOf({ service, caller });
  const { url, events, status = 'active' } = checkInput(service, input);
  if (url === undefined) throw new ServiceError('BAD_REQUEST', 'url is required');
  if (events === undefined) throw new ServiceError('BAD_REQUEST', 'events is required');
  const maker = makerOf(caller);
  const { client_id, user_key } = maker;
  if ((await WebhookStore.countDocuments(accessScope, { client_id, user_key })) >= MAX_WEBHOOKS) {
    throw new ServiceError('BAD_REQUEST', `An account or an app has at most ${MAX_WEBHOOKS} webhooks`);
  }
  await numberWritten(service, accessScope.account_key);
  const secret = await newWebhookSecret(service);
  const now = new Date();
  const shown = {
    key: newKey(),
    url,
    events,
    status,
    notice: null,
    client_id,
    created: now,
    updated: now,
  };
  await WebhookStore.create(accessScope, {
    ...shown,
    ...maker,
    account_key: accessScope.account_key,
    secrets: [secret.stored],
    position: await lastNumber(accessScope),
  });
  await recordWebhook(service, 'webhook_created', caller, actor, shown.key);
  return { ...shown, secret: secret.text };
}

/**
 * Changes the given fields of a webhook. One that becomes active again is sent what has waited.
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming the parameter
 */
export async function updateWebhook(
  service: Service,
  caller: Caller,
  actor: Actor,
  key: string,
  input: WebhookInput,
): Promise<StoredWebhook> {
  const change = checkInput(service, input);
  const now = new Date();
  const resumed = change.status === 'active' && { notice: null, due: now };
  // An app's access may be by another grant than when it made the webhook.
  const grant = caller.kind === 'app' && { grant_hash: makerOf(caller).grant_hash };
  const hook = await changeOwn(service, caller, key, { ...change, ...resumed, ...grant, updated: now });
  if (change.url !== undefined) await recordWebhook(service, 'webhook_address_changed', caller, actor, key);
  if (resumed) await sendAgain(service, hook.account_key, { webhook_key: key, status: 'pending' });
  return hook;
}

/** Gives a webhook another secret; the one before signs beside it for another day. */
export async function rotateWebhookSecret(
  service: Service,
  caller: Caller,
  actor: Actor,
  key: string,
): Promise<IssuedWebhook> {
  const { secrets } = await findWebhook(service, caller, key);
  const made = await newWebhookSecret(service);
  const hook = await changeOwn(service, caller, key, { secrets: rotatedSecrets(secrets, made), updated: new Date() });
  await recordWebhook(service, 'webhook_secret_rotated', caller, actor, key);
  return { ...hook, secret: made.text };
}

/** Deletes a webhook with its deliveries. @throws ServiceError NOT_FOUND */
export async function deleteWebhook(service: Service, caller: Caller, actor: Actor, key: string): Promise<void> {
  const accessScope = accessScopeOf({ service, caller });
  const { deletedCount } = await WebhookStore.deleteOne(accessScope, { key, ...madeBy(caller) });
  if (deletedCount === 0) throw notFound('webhook');
  await recordWebhook(service, 'webhook_deleted', caller, actor, key);
  await deleteAll(WebhookDeliveryStore, deliveriesAccessScope(service, accessScope.account_key), {
    webhook_key: key,
  });
}

function recordWebhook(
  service: Service,
  kind: SecurityEventKind,
  caller: Caller,
  actor: Actor,
  subject: string,
): Promise<void> {
  const { account_key } = accessScopeOf({ service, caller });
  return recordSecurityEvent(service, { kind, actor, account_key, user_key: makerOf(caller).user_key, subject });
}

/** A webhook that a caller manages. @throws ServiceError NOT_FOUND */
export async function findWebhook(service: Service, caller: Caller, key: string): Promise<StoredWebhook> {
  const hook = await WebhookStore.findOne(accessScopeOf({ service, caller }), { key, ...madeBy(caller) });
  if (!hook) throw notFound('webhook');
  return hook;
}

/** Changes a webhook that a caller manages. @throws ServiceError NOT_FOUND */
export async function changeOwn(service: Service, caller: Caller, key: string, change: object): Promise<StoredWebhook> {
  const accessScope = accessScopeOf({ service, caller });
  const those = { key, ...madeBy(caller) };
  const hook = await WebhookStore.findOneAndUpdate(accessScope, those, change, { returnDocument: 'after' });
  if (!hook) throw notFound('webhook');
  return hook;
}

function checkInput(service: Service, { url, events, status }: WebhookInput) {
  if (status === 'disabled') throw new ServiceError('BAD_REQUEST', 'status must be active or paused');
  return {
    ...(url != null && { url: checkUrl(service, url) }),
    ...(events != null && { events: checkEvents(events) }),
    ...(status != null && { status }),
  };
}

function checkUrl(service: Service, text: string): string {
  const url = text.length <= MAX_URL_LENGTH ? parsePlainUrl(text) : null;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
  if (!isPlain) {
    throw new ServiceError(
      'BAD_REQUEST',
      `url must be an https address of at most ${MAX_URL_LENGTH} characters, without credentials or a fragment`,
    );
  }
  if (!service.sender.mayReach(url)) {
    throw new ServiceError('BAD_REQUEST', 'url must be on the public internet');
  }
  return url.href;
}

function checkEvents(events: readonly EventName[]): EventName[] {
  if (events.length === 0) throw new ServiceError('BAD_REQUEST', 'events must name at least one kind');
  return [...new Set(events)];
}
