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
    list('webhooks', 'List the webhooks of an account and of its apps'),
    show('webhook', 'Show a webhook'),
    add(
      'createWebhook',
      'Add a webhook to an account, and print its secret',
      '--account KEY --url https://bakery.example/events --event trip_start trip_end',
      { secret: 'secret', options: fieldOptions(WebhookInput, ['url', 'events']) },
    ),
    update('updateWebhook', 'Change, pause or resume a webhook; omitted fields stay unchanged', 'KEY --status active', {
      options: [
        ...fieldOptions(WebhookInput),
        argument('--status <status>', 'status', 'active or paused').choices(['active', 'paused']).neverEmpty(),
      ],
    }),
    remove('deleteWebhook', 'Delete a webhook with the log of its deliveries'),
    update('rotateWebhookSecret', 'Replace the secret of a webhook; requests are signed with both for a day', 'KEY', {
      verb: 'rotate-secret',
      done: 'given a new secret',
      secret: 'secret',
    }),
    update('testWebhook', 'Post a test event and print the answer of the receiver', 'KEY', {
      verb: 'test',
      done: 'tested',
    }),
    update(
      'replayWebhook',
      'Repeat one delivery, or everything since a time, with the same ids',
      'KEY --since 2026-11-24T00:00:00Z',
      {
        verb: 'replay',
        done: 'to be sent again',
        options: [
          argument('--delivery <key>', 'delivery_key', 'only this delivery'),
          argument('--since <date-time>', 'since', 'everything logged since this time'),
        ],
      },
    ),
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
