import type { App, AppCredentials } from '../../schema/app.ts';
import { type Html, html } from '../site/html.ts';

/** Addresses that the forms of the list are sent to, and what they carry. */
export interface AppListForms {
  readonly secretAction: string;
  readonly deleteAction: string;
  readonly formToken: string;
}

/** Writes the apps that a user may manage. */
export function appList(apps: readonly App[], forms: AppListForms): Html {
  return html`<section class="card" aria-labelledby="own">
<h2 id="own">Your apps</h2>
${apps.length === 0 && html`<p class="lead">None yet. Register one below.</p>`}
${apps.map((app) => entry(app, forms))}</section>`;
}

function entry(app: App, { secretAction, deleteAction, formToken }: AppListForms): Html {
  const { client_id, name, redirect_uris, scopes, is_public } = app;
  const carried = html`<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="client_id" value="${client_id}">`;
  return html`<article class="entry" aria-label="${name}">
<h3><bdi>${name}</bdi></h3>
<dl class="facts">
<dt>Client id</dt><dd><code>${client_id}</code></dd>
<dt>Secret</dt><dd>${is_public ? 'None: a public app, with PKCE' : 'Stored as a hash; it was shown once'}</dd>
<dt>Redirects to</dt><dd>${redirect_uris.map((uri) => html`<code>${uri}</code> `)}</dd>
<dt>May ask for</dt><dd class="tags">${scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
</dl>
<div class="actions">
${
  !is_public &&
  html`<details><summary>New secret…</summary>
<form method="post" action="${secretAction}">${carried}
<p class="small">The secret in use ends at once. What users have allowed stays.</p>
<button class="button quiet compact" type="submit">Replace the secret of <bdi>${name}</bdi></button></form></details>`
}
<details><summary>Delete…</summary>
<form method="post" action="${deleteAction}">${carried}
<p class="small">All that users have allowed it ends at once. This cannot be undone.</p>
<button class="button danger compact" type="submit">Delete <bdi>${name}</bdi></button></form></details>
</div>
</article>`;
}

/** Writes the only showing of an app's secret. */
export function credentialsNotice({ client_id, client_secret }: AppCredentials): Html {
  return html`<section class="card" aria-labelledby="credentials" role="status">
<h2 id="credentials">${client_secret === null ? 'App registered' : 'Keep this secret now'}</h2>
<p class="lead">${client_secret === null ? 'A public app has no secret; it uses PKCE.' : 'It is shown this once. Only its hash is stored.'}</p>
<dl class="facts">
<dt>Client id</dt><dd><code class="secret">${client_id}</code></dd>
${client_secret !== null && html`<dt>Client secret</dt><dd><code class="secret">${client_secret}</code></dd>`}
</dl>
</section>`;
}
