import { DeliveryStatus } from '../../schema/webhooks/webhook-delivery.ts';
import { WebhookInput } from '../../schema/webhooks/webhook.ts';

import {
  add,
  argument,
  fieldOptions,
  list,
  pageOptions,
  remove,
  type Resource,
  show,
  update,
} from '../shell/resource.ts';

/** `webhook` */
export const WEBHOOK: Resource = {
  name: 'webhook',
  description: 'Addresses to which events are posted as they happen',
  columns: ['key', 'url', 'events', 'status', 'notice'],
  commands: [
    list({ field: 'webhooks', summary: 'List the webhooks of an account and of its apps', options: pageOptions() }),
    show({ field: 'webhook', summary: 'Show a webhook' }),
    add({
      field: 'createWebhook',
      summary: 'Add a webhook to an account, and print its secret',
      example: '--account KEY --url https://bakery.example/events --event trip_start trip_end',
      secret: 'secret',
      options: fieldOptions(WebhookInput, ['url', 'events']),
    }),
    update({
      field: 'updateWebhook',
      summary: 'Change, pause or resume a webhook; omitted fields stay unchanged',
      example: 'KEY --status active',
      options: [
        ...fieldOptions(WebhookInput),
        argument('--status <status>', 'status', 'active or paused').choices(['active', 'paused']).neverEmpty(),
      ],
    }),
    remove({ field: 'deleteWebhook', summary: 'Delete a webhook with the log of its deliveries' }),
    update({
      verb: 'rotate-secret',
      done: 'given a new secret',
      field: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook; requests are signed with both for a day',
      example: 'KEY',
      secret: 'secret',
    }),
    update({
      verb: 'test',
      done: 'tested',
      field: 'testWebhook',
      summary: 'Post a test event and print the answer of the receiver',
      example: 'KEY',
    }),
    update({
      verb: 'replay',
      done: 'to be sent again',
      field: 'replayWebhook',
      summary: 'Repeat one delivery, or everything since a time, with the same ids',
      example: 'KEY --since 2026-11-24T00:00:00Z',
      options: [
        argument('--delivery <key>', 'delivery_key', 'only this delivery'),
        argument('--since <date-time>', 'since', 'everything logged since this time'),
      ],
    }),
    {
      verb: 'deliveries',
      field: 'webhookDeliveries',
      isOfRecord: true,
      keyArgument: 'webhook_key',
      summary: 'List sent and pending deliveries of a webhook, newest first',
      example: 'KEY --status pending',
      columns: ['key', 'event', 'timestamp', 'vehicle_key', 'status', 'next_attempt'],
      options: [
        argument('--status <status>', 'status', 'only deliveries in this state').choices(Object.keys(DeliveryStatus)),
        ...pageOptions(),
      ],
    },
  ],
};
