import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { madeBy } from '../../auth/maker.ts';
import { actorIn } from '../../auth/security-events.ts';
import { WebhookStore } from '../../models/webhooks/webhook.ts';
import { Deletion } from '../../schema/deletion.ts';
import type { Page } from '../../schema/page.ts';
import { IssuedWebhook, Webhook, WebhookConnection, WebhookInput, ReplayInput } from '../../schema/webhooks/webhook.ts';
import {
  DeliveryAttempt,
  DeliveryStatus,
  type WebhookDelivery,
  WebhookDeliveryConnection,
} from '../../schema/webhooks/webhook-delivery.ts';

import { shownRecord } from '../input/shown-record.ts';
import { PageArgs } from '../pages/page-args.ts';
import { createWebhook, deleteWebhook, findWebhook, rotateWebhookSecret, updateWebhook } from './manage-webhook.ts';
import { replayWebhook } from './replay.ts';
import { testWebhook } from './test-webhook.ts';
import { deliveryPage, webhookPage } from './webhook-lists.ts';

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
