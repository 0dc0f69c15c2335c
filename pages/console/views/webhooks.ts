import { html, nothing, type TemplateResult } from 'lit';

import type { DeliveryAttempt, WebhookDelivery } from '../../../schema/webhooks/webhook-delivery.ts';
import type { Webhook as FullWebhook } from '../../../schema/webhooks/webhook.ts';
import { openDialog } from '../browser/dialog.ts';
import { checksField, type Fields, textField } from '../browser/form.ts';
import { showOnce } from '../records/form-dialog.ts';
import { moment } from '../browser/format.ts';
import { parameter } from '../browser/page-data.ts';

import { type ByKey, change, RecordList, type Shown } from '../records/records.ts';
import { type Action, RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';

type EventKind = keyof typeof t.events;

const WEBHOOK_FIELDS = 'key url events status notice';
type Webhook = Shown<FullWebhook, typeof WEBHOOK_FIELDS>;

type Attempt = Shown<DeliveryAttempt, 'timestamp status_code response duration_ms'>;
type Delivery = Shown<WebhookDelivery, 'key event created status body attempts'>;

interface Issued {
  readonly secret: string;
}
type WebhookInput = Partial<Pick<Webhook, 'url' | 'events' | 'status'>>;

const createWebhook = change<{ readonly input: WebhookInput }, Issued>(
  'createWebhook(input: WebhookInput!) { secret }',
);
const updateWebhook = change<ByKey & { readonly input: WebhookInput }>(
  'updateWebhook(key: String!, input: WebhookInput!) { key }',
);
const deleteWebhook = change<ByKey>('deleteWebhook(key: String!) { key }');
const rotateWebhookSecret = change<ByKey, Issued>('rotateWebhookSecret(key: String!) { secret }');
const testWebhook = change<ByKey, Attempt>('testWebhook(key: String!) { timestamp status_code response duration_ms }');
const replayWebhook = change<
  ByKey & { readonly input: { readonly delivery_key: string } | { readonly since: string } }
>('replayWebhook(key: String!, input: ReplayInput!) { key }');

/** Addresses to which events are posted, and what was posted to one of them. */
export class WebhooksPage extends RecordsPage {
  #chosen = parameter('key');
  readonly #webhooks = new RecordList<Webhook>(`webhooks { ${WEBHOOK_FIELDS} }`);
  readonly #deliveries = new RecordList<Delivery, { readonly webhook_key: string }>(
    `webhookDeliveries(webhook_key: String!) {
      key event created status body attempts { timestamp status_code response duration_ms }
    }`,
  );

  protected async load(): Promise<void> {
    await this.#webhooks.read({});
    if (!this.#webhooks.rows.some(({ key }) => key === this.#chosen)) this.#chosen = '';
    if (this.#chosen) await this.#deliveries.read({ webhook_key: this.#chosen });
  }

  protected content(): TemplateResult {
    const { title, lead, add, address, events, status, statuses, empty } = t.webhooks;
    const list = this.section<Webhook>({
      title,
      lead,
      add: { label: add, run: () => this.#add() },
      list: this.#webhooks,
      nameOf: ({ url }) => url,
      empty,
      columns: [
        { title: address, cell: ({ url }) => html`<strong class="address">${url}</strong>` },
        {
          title: events,
          cell: (webhook) =>
            html`<span class="muted">${webhook.events.map((event) => t.events[event]).join(', ')}</span>`,
        },
        {
          title: status,
          cell: (webhook) =>
            html`<span class="badge">${statuses[webhook.status]}</span>${webhook.notice ? html`<br /><span class="muted">${webhook.notice}</span>` : nothing}`,
        },
      ],
      actions: (webhook) => this.#actions(webhook),
    });
    return html`${list} ${this.#chosen ? this.#deliveryLog() : nothing}`;
  }

  #deliveryLog(): TemplateResult {
    const { deliveries, deliveriesLead, event, time, answer, none, outcome, outcomes, replay, details } = t.webhooks;
    const url = this.#webhooks.rows.find(({ key }) => key === this.#chosen)?.url ?? '';
    return this.section<Delivery>({
      title: `${deliveries}: ${url}`,
      lead: deliveriesLead,
      list: this.#deliveries,
      nameOf: (delivery) => t.events[delivery.event],
      empty: none,
      columns: [
        { title: event, cell: (delivery) => t.events[delivery.event] },
        { title: time, cell: ({ created }) => moment(created) },
        { title: outcome, cell: (delivery) => html`<span class="badge">${outcomes[delivery.status]}</span>` },
        { title: answer, cell: ({ attempts }) => attempts.at(-1)?.status_code ?? '–' },
      ],
      actions: (delivery) => [
        { label: details, run: () => showDelivery(delivery) },
        { label: replay, run: () => this.#replay({ delivery_key: delivery.key }) },
      ],
    });
  }

  #actions(webhook: Webhook): readonly Action[] {
    const { key, url, status } = webhook;
    const { test, deliveries, replaySince, rotate, rotateText, pause, resume, remove, removeText } = t.webhooks;
    const turned = status === 'active' ? 'paused' : 'active';
    return [
      { label: test, run: () => this.attempt(async () => showAttempt(await testWebhook({ key }))) },
      { label: deliveries, run: () => this.#open(key) },
      { label: replaySince, run: () => this.#askSince(key) },
      { label: t.records.edit, run: () => this.#change(webhook) },
      {
        label: status === 'active' ? pause : resume,
        run: () => this.act(() => updateWebhook({ key, input: { status: turned } }), t.records.done),
      },
      {
        label: rotate,
        run: () =>
          this.actIfConfirmed({ title: rotate, text: rotateText, action: rotate }, () =>
            rotateWebhookSecret({ key }).then(showSecret),
          ),
      },
      this.removal(remove, url, removeText, () => deleteWebhook({ key })),
    ];
  }

  #open(key: string): void {
    this.#chosen = key;
    void this.attempt(() => this.#deliveries.read({ webhook_key: key }));
  }

  #replay(input: { readonly delivery_key: string } | { readonly since: string }): Promise<void> {
    return this.act(() => replayWebhook({ key: this.#chosen, input }), t.webhooks.replayed);
  }

  #askSince(key: string): void {
    const { replaySince, replayLead, since } = t.webhooks;
    this.edit({
      title: replaySince,
      lead: replayLead,
      submit: t.webhooks.replay,
      fields: textField({ name: 'since', label: since, type: 'datetime-local', isRequired: true }),
      save: async (fields) => {
        await replayWebhook({ key, input: { since: new Date(fields.since ?? '').toISOString() } });
        this.#chosen = key;
      },
    });
  }

  #add(): void {
    const save = async (fields: Fields, data: FormData) =>
      showSecret(await createWebhook({ input: inputOf(fields, data) }));
    this.edit({ title: t.webhooks.add, submit: t.webhooks.add, fields: webhookFields('', DEFAULT_EVENTS), save });
  }

  #change({ key, url, events }: Webhook): void {
    const save = (fields: Fields, data: FormData) => updateWebhook({ key, input: inputOf(fields, data) });
    this.edit({ title: t.webhooks.change, submit: t.save, fields: webhookFields(url, events), save });
  }
}

customElements.define('console-webhooks', WebhooksPage);

/** Events that are ticked for a new webhook. */
const DEFAULT_EVENTS: readonly EventKind[] = ['trip_start', 'trip_end'];

function webhookFields(url: string, events: readonly string[]): TemplateResult {
  const options = Object.entries(t.events).map(
    ([name, text]) => [name, html`<span>${text} <small class="muted">${name}</small></span>`] as const,
  );
  return html`
    ${textField({ name: 'url', label: t.webhooks.address, type: 'url', value: url, hint: t.webhooks.addressHint, isRequired: true })}
    ${checksField({ name: 'events', label: t.webhooks.events, hint: t.webhooks.eventsHint }, options, events)}`;
}

function inputOf({ url = '' }: Fields, data: FormData): WebhookInput {
  return { url, events: data.getAll('events').map(String) as EventKind[] };
}

function showSecret({ secret }: Issued): Promise<void> {
  return showOnce(t.webhooks.secret, t.webhooks.secretText, secret);
}

function showAttempt(attempt: Attempt): void {
  openDialog(t.webhooks.test, attemptFacts(attempt));
}

function showDelivery({ event, body, attempts }: Delivery): void {
  openDialog(
    t.events[event],
    html`${attempts.map(attemptFacts)}
      ${body === null ? nothing : html`<div class="code-block"><pre tabindex="0" role="group" aria-label=${event}><code>${body}</code></pre></div>`}`,
  );
}

function attemptFacts({ timestamp, status_code, response, duration_ms }: Attempt): TemplateResult {
  const { time, answer, noAnswer, took } = t.webhooks;
  return html`<dl class="facts">
    <dt>${time}</dt><dd>${moment(timestamp)}</dd>
    <dt>${answer}</dt><dd>${status_code ?? noAnswer} ${response ? html`<span class="muted">${response}</span>` : nothing}</dd>
    <dt>${took}</dt><dd>${duration_ms} ms</dd>
  </dl>`;
}
