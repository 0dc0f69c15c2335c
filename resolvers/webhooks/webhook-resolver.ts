import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf, type Caller } from '../../auth/caller.ts';
import { madeBy } from '../../auth/maker.ts';
import { actorIn } from '../../auth/security-events.ts';
import { WebhookStore } from '../../models/webhooks/webhook.ts';
import { Deletion } from '../../schema/deletion.ts';
import { type Page, PageArgs } from '../../schema/page.ts';
import { IssuedWebhook, Webhook, WebhookConnection, WebhookInput, ReplayInput } from '../../schema/webhooks/webhook.ts';
import {
  DeliveryAttempt,
  DeliveryStatus,
  type WebhookDelivery,
  WebhookDeliveryConnection,
} from '../../schema/webhooks/webhook-delivery.ts';
import { shownRecord } from '../../models/lookup/shown-record.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  rotateWebhookSecret,
  updateWebhook,
  changeOwn,
} from './manage-webhook.ts';
import { WebhookDeliveryStore } from '../../models/webhooks/webhook-delivery.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { allVisibleVehicles } from '../../tracking/visibility/visible-vehicles.ts';
import type { Service } from '../../models/store/service.ts';
import { newKey } from '../../models/key.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import { attempt } from '../../notifying/webhooks/attempt.ts';
import { ChangeStore } from '../../models/changes/change.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { readDateTime } from '../../schema/read-window.ts';
import { lastNumber } from '../../notifying/changes/number-changes.ts';
import { sendAgain } from '../../notifying/webhooks/send-again.ts';

const KEY = 'Key of the webhook.';

/** Addresses to which events are posted: those of the account, and for an app those that it has made for its user. */
@Resolver()
export class WebhookResolver {
  @Access('account_activity.read')
  @Query(() => WebhookConnection, { description: 'Webhooks, in order of creation.' })
  webhooks(@Args(() => PageArgs) page: PageArgs, @Ctx() { service, caller }: RequestContext): Promise<Page<Webhook>> {
    return webhookPage(service, caller, page);
  }

  @Access('account_activity.read')
  @Query(() => Webhook, { nullable: true, description: 'One webhook.' })
  async webhook(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Webhook> {
    const filter = { key, ...madeBy(caller) };
    return shownRecord(WebhookStore, { accessScope: accessScopeOf({ service, caller }), filter }, 'webhook');
  }

  @Access('account_activity.read')
  @Query(() => WebhookDeliveryConnection, {
    nullable: true,
    description: 'Deliveries of a webhook: those of the last 30 days and those still pending, newest first.',
  })
  webhookDeliveries(
    @Arg('webhook_key', () => String, { description: KEY }) webhook_key: string,
    @Arg('status', () => DeliveryStatus, { nullable: true, description: 'Only deliveries in this state.' })
    status: DeliveryStatus | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<WebhookDelivery>> {
    return deliveryPage(service, caller, webhook_key, page, status);
  }

  @Access('account_activity.manage')
  @Mutation(() => IssuedWebhook, {
    description: 'Creates a webhook for events from now on. Its secret is shown only once.',
  })
  createWebhook(
    @Arg('input', () => WebhookInput, { description: 'Fields of the new record.' }) input: WebhookInput,
    @Ctx() context: RequestContext,
  ): Promise<IssuedWebhook> {
    return createWebhook(context.service, context.caller, actorIn(context), input);
  }

  @Access('account_activity.manage')
  @Mutation(() => Webhook, {
    description:
      'Updates a webhook. Omitted fields stay unchanged. A webhook that becomes active again is sent the ' +
      'events that were pending.',
  })
  updateWebhook(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Arg('input', () => WebhookInput, { description: 'The fields to change.' }) input: WebhookInput,
    @Ctx() context: RequestContext,
  ): Promise<Webhook> {
    return updateWebhook(context.service, context.caller, actorIn(context), key, input);
  }

  @Access('account_activity.manage')
  @Mutation(() => Deletion, { description: 'Deletes a webhook with the log of its deliveries.' })
  async deleteWebhook(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await deleteWebhook(context.service, context.caller, actorIn(context), key);
    return { key, deleted: true };
  }

  @Access('account_activity.manage')
  @Mutation(() => IssuedWebhook, {
    description:
      'Replaces the secret of a webhook. The new secret is shown only once; requests are signed with both for ' +
      'a day.',
  })
  rotateWebhookSecret(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<IssuedWebhook> {
    return rotateWebhookSecret(context.service, context.caller, actorIn(context), key);
  }

  @Access('account_activity.manage')
  @Mutation(() => DeliveryAttempt, {
    description: 'Posts an event `test` to a webhook, whatever its state, and returns the outcome.',
  })
  testWebhook(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<DeliveryAttempt> {
    return testWebhook(service, caller, key);
  }

  @Access('account_activity.manage')
  @Mutation(() => Webhook, {
    description:
      'Repeats deliveries of a webhook, with the same ids in the same order: one delivery, or everything ' +
      'logged since a time.',
  })
  async replayWebhook(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Arg('input', () => ReplayInput, { description: 'The deliveries to repeat.' }) input: ReplayInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Webhook> {
    await replayWebhook(service, caller, key, input);
    return findWebhook(service, caller, key);
  }
}

/**
 * A page of the webhooks that a caller manages, in order of creation.
 * @throws ServiceError BAD_REQUEST for an invalid size or cursor
 */
export function webhookPage(service: Service, caller: Caller, page: PageArgs): Promise<Page<Webhook>> {
  return creationPage(WebhookStore, {
    accessScope: accessScopeOf({ service, caller }),
    search: madeBy(caller),
    ...page,
  });
}

/**
 * A page of what a webhook was sent and is to be sent, as far as the caller sees the vehicles, the newest first.
 * @param status only deliveries in this state
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST for an invalid size or cursor
 */
export async function deliveryPage(
  service: Service,
  caller: Caller,
  webhook_key: string,
  page: PageArgs,
  status?: DeliveryStatus | null,
): Promise<Page<WebhookDelivery>> {
  await findWebhook(service, caller, webhook_key);
  const { accessScope, filter } = await allVisibleVehicles(service, caller);
  const search = { webhook_key };
  const listed = { ...filter, ...(status != null && { status }) };
  return creationPage(WebhookDeliveryStore, { accessScope, search, listed, isNewestFirst: true, ...page });
}

/** Posts an event `test` to a webhook, whatever its state, and returns what came of it. @throws ServiceError NOT_FOUND */
export async function testWebhook(service: Service, caller: Caller, key: string): Promise<DeliveryAttempt> {
  const hook = await findWebhook(service, caller, key);
  const id = newKey();
  const timestamp = formatOffsetDateTime(new Date());
  const { account_key } = accessScopeOf({ service, caller });
  const body = JSON.stringify({ key: id, event: 'test', timestamp, account_key, user_key: null });
  return attempt(service, hook, { id, body });
}

/**
 * Has a webhook sent again what it was sent, with the same ids and in the same order; since a time also events of kinds that
 * it did not want then.
 *
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming the parameter
 */
export async function replayWebhook(
  service: Service,
  caller: Caller,
  key: string,
  { delivery_key, since }: ReplayInput,
): Promise<void> {
  if ((delivery_key == null) === (since == null)) {
    throw new ServiceError('BAD_REQUEST', 'delivery_key or since is required, and not both');
  }
  const { position } = await findWebhook(service, caller, key);
  const { account_key } = accessScopeOf({ service, caller });
  const due = new Date();
  if (delivery_key != null) {
    const count = await sendAgain(service, account_key, { webhook_key: key, key: delivery_key });
    if (count === 0) throw new ServiceError('BAD_REQUEST', 'delivery_key does not belong to this webhook');
    await changeOwn(service, caller, key, { due });
    return;
  }
  const number = await numberBefore(service, account_key, readDateTime('since', since ?? ''));
  await sendAgain(service, account_key, { webhook_key: key, number: { $gt: number } });
  await changeOwn(service, caller, key, { position: Math.min(position, number), due });
}

/** Number of the last entry that was logged before a time. */
async function numberBefore(service: Service, accountKey: string, time: Date): Promise<number> {
  const accessScope = accountAccessScope(service, accountKey);
  const first = await ChangeStore.findOne(accessScope, { timestamp: { $gte: time } }, { number: 1 }).sort({
    number: 1,
  });
  return first ? first.number - 1 : lastNumber(accessScope);
}
