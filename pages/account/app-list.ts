import type { App, AppCredentials } from '../../schema/account/app.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { appUrl } from './app-webhooks.ts';

/** Forms of the list: the base address of their actions, and the session's token in them. */
export interface AppListForms {
  readonly url: string;
  readonly formToken: string;
  /** A rejected change. */
  readonly changed?: ChangedApp | undefined;
}

/** Input of the form that changes an app, with the reason why it was rejected. */
export interface ChangedApp extends Pick<App, 'client_id' | 'name' | 'redirect_uris' | 'requires_pkce'> {
  readonly fault: string;
}

/** Writes the apps that a user may manage. */
export function appList(apps: readonly App[], forms: AppListForms): Html {
  return html`<section class="card" aria-labelledby="own">
<h2 id="own">Your apps</h2>
${apps.length === 0 && html`<p class="lead">None yet. Register one below.</p>`}
${apps.map((app) => entry(app, forms))}</section>`;
}

function entry(app: App, { url, formToken, changed }: AppListForms): Html {
  const rejected = changed?.client_id === app.client_id ? changed : null;
  const { client_id, name, redirect_uris, scopes, is_public, requires_pkce, reviewed } = app;
  const carried = html`<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="client_id" value="${client_id}">`;
  return html`<article class="entry" aria-label="${name}">
<h3><bdi>${name}</bdi></h3>
<dl class="facts">
<dt>Client id</dt><dd><code>${client_id}</code></dd>
<dt>Secret</dt><dd>${is_public ? 'None: a public app, with PKCE' : 'Stored as a hash; it was shown once'}</dd>
<dt>PKCE</dt><dd>${requires_pkce ? 'Required' : 'Optional'}</dd>
<dt>Reviewed</dt><dd>${reviewed === null ? 'Not yet: users see a warning' : reviewed.toISOString().slice(0, 10)}</dd>
<dt>Redirects to</dt><dd>${redirect_uris.map((uri) => html`<code>${uri}</code> `)}</dd>
<dt>May ask for</dt><dd class="tags">${scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
</dl>
<p class="small"><a href="${appUrl(url, client_id)}">Webhooks of <bdi>${name}</bdi></a></p>
<div class="actions">
<details${rejected !== null && html` open`}><summary>Change…</summary>
${rejected !== null && html`<p class="fault" role="alert">${rejected.fault}</p>`}
<form method="post" action="${url}/update">${carried}
<label for="name-${client_id}">Name</label>
<input id="name-${client_id}" name="name" type="text" maxlength="255" required autocomplete="off" value="${(rejected ?? app).name}">
<label for="uris-${client_id}">Redirect addresses, one per line</label>
<textarea id="uris-${client_id}" name="redirect_uris" required spellcheck="false" autocapitalize="none">
${(rejected ?? app).redirect_uris.join('\n')}</textarea>
${
  is_public
    ? html`<input type="hidden" name="requires_pkce" value="yes">`
    : html`<label class="scope"><input type="checkbox" name="requires_pkce" value="yes"${(rejected ?? app).requires_pkce && html` checked`}>
<span>Requests must use PKCE. Without it, only the secret protects an authorization code that leaks.</span></label>`
}
${reviewed !== null && html`<p class="small">Changing the name or adding an address ends the review: users see a warning until the operator reviews the app again.</p>`}
<button class="button quiet compact" type="submit">Change <bdi>${name}</bdi></button></form></details>
${
  !is_public &&
  html`<details><summary>New secret…</summary>
<form method="post" action="${url}/secret">${carried}
<p class="small">The current secret stops working immediately. Access that users have granted stays.</p>
<button class="button quiet compact" type="submit">Replace the secret of <bdi>${name}</bdi></button></form></details>`
}
<details><summary>Delete…</summary>
<form method="post" action="${url}/delete">${carried}
<p class="small">All access that users have granted it ends immediately. This cannot be undone.</p>
<button class="button danger compact" type="submit">Delete <bdi>${name}</bdi></button></form></details>
</div>
</article>`;
}

/** Writes the credentials of an app, which are shown only once. */
export function credentialsNotice({ client_id, secret }: AppCredentials): Html {
  return html`<section class="card" aria-labelledby="credentials" role="status">
<h2 id="credentials">${secret === null ? 'App registered' : 'Save this secret now'}</h2>
<p class="lead">${secret === null ? 'A public app has no secret; it uses PKCE.' : 'It is shown only once, because the service stores only its hash.'}</p>
<dl class="facts">
<dt>Client id</dt><dd><code class="secret">${client_id}</code></dd>
${secret !== null && html`<dt>Client secret</dt><dd><code class="secret">${secret}</code></dd>`}
</dl>
</section>`;
}
