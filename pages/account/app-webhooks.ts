import { type Html, html } from '../../http/answers/html.ts';
import type { App } from '../../schema/account/app.ts';
import { EventName } from '../../schema/events/event.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import type { Page } from '../../schema/page.ts';
import type { Webhook } from '../../schema/webhooks/webhook.ts';
import type { DeliveryAttempt, WebhookDelivery } from '../../schema/webhooks/webhook-delivery.ts';

/** Input of the form that adds a webhook, with the reason why it was rejected. */
export interface TypedWebhook {
  readonly url: string;
  readonly events: readonly string[];
  readonly fault: string | null;
}

/** A form in which nothing has been typed yet. */
export const EMPTY_WEBHOOK: TypedWebhook = { url: '', events: ['trip_start', 'trip_end'], fault: null };

/** The deliveries of one webhook that the page shows. */
export interface DeliveryLog {
  readonly webhook_key: string;
  readonly deliveries: Page<WebhookDelivery>;
}

/** The webhooks of an app, and the addresses and the token of the forms that change them. */
export interface AppWebhooks {
  readonly app: App;
  /** Null if the signed-in user has not granted the app the scope for webhooks. */
  readonly webhooks: readonly Webhook[] | null;
  /** True in an account with privacy zones, where apps get no events. */
  readonly isSentNothing: boolean;
  readonly log: DeliveryLog | null;
  readonly typed: TypedWebhook;
  /** Base address of the actions. */
  readonly url: string;
  readonly formToken: string;
}

/** Address of the page of an app. @param url address of the developer platform */
export function appUrl(url: string, clientId: string, parameters: Readonly<Record<string, string>> = {}): string {
  return `${url}?${new URLSearchParams({ app: clientId, ...parameters })}`;
}

/** Writes the webhooks that an app has for the signed-in user. */
export function appWebhooks(shown: AppWebhooks): Html {
  const { app, webhooks, isSentNothing, log, url } = shown;
  return html`<p class="small"><a href="${url}">All apps</a></p>
<section class="card" aria-labelledby="webhooks">
<h2 id="webhooks">Webhooks</h2>
${webhooks === null && notAllowed(app)}
${webhooks !== null && isSentNothing && html`<p class="lead">This account has privacy zones, so apps are sent only tests.</p>`}
${webhooks?.length === 0 && html`<p class="lead">None yet. Add one below.</p>`}
${webhooks?.map((webhook) => entry(webhook, shown, log?.webhook_key === webhook.key ? log : null))}</section>
${webhooks !== null && addForm(app, shown)}`;
}

/** Says what is to be done before an app has webhooks, with links to the app. */
function notAllowed({ redirect_uris }: App): Html {
  const sites = [...new Set(redirect_uris.filter((uri) => uri.startsWith('https:')).map((uri) => new URL(uri).origin))];
  return html`<p class="lead">None yet: webhooks send what this app may see of your account, and you have not allowed it to see anything that they send.</p>
<ol class="steps">
<li>Have the app request the scopes <code>account_activity.read</code> and <code>account_activity.manage</code>; the operator of this service must approve the second.</li>
<li>Sign in to the app${sites.map((site, at) => html`${at === 0 ? ': ' : ', '}<a href="${site}" rel="noreferrer">${site}</a>`)}, and allow both.</li>
<li>Return to this page to add a webhook.</li>
</ol>`;
}

function entry(
  { key, url: address, events, status, notice, created }: Webhook,
  shown: AppWebhooks,
  log: DeliveryLog | null,
) {
  const { app, url } = shown;
  const button = (action: string, text: Html, look = 'quiet', fields: Readonly<Record<string, string>> = {}) =>
    html`<form method="post" action="${url}/${action}">${carried(shown, { webhook: key, ...fields })}
<button class="button ${look} compact" type="submit">${text}</button></form>`;
  return html`<article class="entry" aria-label="${address}" id="${key}">
<h3><bdi>${address}</bdi> <span class="badge">${status}</span></h3>
${notice !== null && html`<p class="fault" role="alert">${notice}</p>`}
<dl class="facts">
<dt>Webhook key</dt><dd><code>${key}</code></dd>
<dt>Events</dt><dd class="tags">${events.map((event) => html`<code>${event}</code> `)}</dd>
<dt>Added</dt><dd>${created.toISOString().slice(0, 10)}</dd>
<dt>Secret</dt><dd>Was shown once</dd>
</dl>
<div class="actions">
${button('webhook-test', html`Send a test`)}
${
  status === 'active'
    ? button('webhook-status', html`Pause`, 'quiet', { status: 'paused' })
    : button('webhook-status', html`Resume`, 'quiet', { status: 'active' })
}
<details><summary>New secret…</summary>
<p class="small">Requests are signed by both secrets for a day.</p>
${button('webhook-secret', html`Replace the secret`)}</details>
<details><summary>Delete…</summary>
<p class="small">What has not been sent is not sent any more, and the log of deliveries goes too.</p>
${button('webhook-delete', html`Delete this webhook`, 'danger')}</details>
</div>
${log ? deliveries(log, shown) : html`<p class="small"><a href="${appUrl(url, app.client_id, { webhook: key })}#${key}">Deliveries</a></p>`}
</article>`;
}

function deliveries({ webhook_key, deliveries: { nodes, page_info } }: DeliveryLog, shown: AppWebhooks): Html {
  const { app, url } = shown;
  const next = page_info.has_next_page ? page_info.end_cursor : null;
  return html`<h4>Deliveries</h4>
${nodes.length === 0 && html`<p class="lead">None in the last 30 days.</p>`}
${
  nodes.length > 0 &&
  html`<div class="log"><table>
<thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Answers</th></tr></thead>
<tbody>
${nodes.map((delivery) => deliveryRow(delivery, shown))}</tbody>
</table></div>`
}
${page_info.has_next_page && next !== null && html`<p class="small"><a href="${appUrl(url, app.client_id, { webhook: webhook_key, after: next })}#${webhook_key}">Older deliveries</a></p>`}`;
}

function deliveryRow(
  { key, webhook_key, event, timestamp, deleted, status, body, attempts }: WebhookDelivery,
  shown: AppWebhooks,
) {
  return html`<tr>
<td>${timeOf(timestamp)}</td>
<td><code>${event}</code> <span class="badge">${status}</span>${deleted && html` <span class="badge">deleted</span>`}${
    body !== null &&
    html`
<details><summary>Body</summary><p class="subject"><code>${body}</code></p></details>`
  }</td>
<td>${attempts.map((one) => html`<p class="small">${answerOf(one)}</p>`)}
${
  status !== 'pending' &&
  html`<form method="post" action="${shown.url}/webhook-replay">${carried(shown, { webhook: webhook_key, delivery: key })}
<button class="button quiet compact" type="submit">Send again</button></form>`
}</td>
</tr>
`;
}

function addForm({ client_id }: App, shown: AppWebhooks): Html {
  const { url, events, fault } = shown.typed;
  return html`<section class="card" aria-labelledby="add-webhook">
<h2 id="add-webhook">Add a webhook</h2>
${fault !== null && html`<p class="fault" role="alert" id="webhook-fault">${fault}</p>`}
<form method="post" action="${shown.url}/webhook-add">${carried(shown)}
<label for="webhook-url">Address</label>
<input id="webhook-url" name="url" type="url" required autocomplete="off" placeholder="https://planner.example/events" value="${url}"${fault !== null && html` aria-invalid="true" aria-describedby="webhook-fault"`}>
<p class="hint">Events are posted to it, signed as Standard Webhooks specifies, for as long as you allow <code>${client_id}</code> access.</p>
<fieldset><legend>Events</legend>
${Object.keys(EventName).map(
  (
    event,
  ) => html`<label class="scope"><input type="checkbox" name="events" value="${event}"${events.includes(event) && html` checked`}>
<span><code>${event}</code></span></label>
`,
)}</fieldset>
<div class="choices"><button class="button" type="submit">Add</button></div>
</form>
</section>`;
}

/** Writes the secret of a webhook, which is shown only once. */
export function webhookSecretNotice(secret: string): Html {
  return html`<section class="card" aria-labelledby="secret" role="status">
<h2 id="secret">Save this secret now</h2>
<p class="lead">It is shown only once. Use it to verify the signatures of requests.</p>
<dl class="facts"><dt>Webhook secret</dt><dd><code class="secret">${secret}</code></dd></dl>
</section>`;
}

/** Writes the outcome of a test. */
export function testNotice(made: DeliveryAttempt): Html {
  return html`<section class="card" aria-labelledby="test" role="status">
<h2 id="test">The test was sent</h2>
<p class="lead">${answerOf(made)}</p>
</section>`;
}

function answerOf({ timestamp, status_code, response, duration_ms }: DeliveryAttempt): Html {
  return html`${status_code ?? 'No answer'} after ${duration_ms} ms, ${timeOf(timestamp)}${response !== null && response !== '' && html`: <code>${response}</code>`}`;
}

function timeOf(time: Date): Html {
  const text = formatOffsetDateTime(time);
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function carried({ app, formToken }: AppWebhooks, fields: Readonly<Record<string, string>> = {}): Html {
  return html`${Object.entries({ form_token: formToken, client_id: app.client_id, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;
}
