import { isScope, SCOPES } from '../../auth/scopes/scope.ts';
import type { AppGrant } from '../../schema/account/app-grant.ts';
import { type Html, html } from '../../http/answers/html.ts';

/** Writes the apps that a user has granted access, each once regardless of the number of grants. */
export function connectedApps(grants: readonly AppGrant[], revokeAction: string, formToken: string): Html {
  const byApp = new Map<string, AppGrant[]>();
  for (const grant of grants) byApp.set(grant.client_id, [...(byApp.get(grant.client_id) ?? []), grant]);
  return html`<section class="card" aria-labelledby="connected">
<h2 id="connected">Connected apps</h2>
${byApp.size === 0 ? html`<p class="lead">You have not allowed any app to use your account.</p>` : html`<p class="lead">You have allowed these apps to use your account.</p>`}
${[...byApp].map(([clientId, given]) => entry(clientId, given, revokeAction, formToken))}</section>`;
}

function entry(clientId: string, given: readonly AppGrant[], revokeAction: string, formToken: string): Html {
  const name = given[0]?.app_name ?? '';
  const since = given.at(-1)?.created.toISOString().slice(0, 10);
  const scopes = [...new Set(given.flatMap((grant) => grant.scopes))];
  return html`<article class="entry" aria-label="${name}">
<h3><bdi>${name}</bdi></h3>
<dl class="facts">
<dt>May</dt><dd>${scopes.map((scope) => (isScope(scope) ? SCOPES[scope] : scope)).join('; ')}</dd>
<dt>Since</dt><dd>${since}</dd>
</dl>
<div class="actions"><form method="post" action="${revokeAction}">
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="client_id" value="${clientId}">
<button class="button danger compact" type="submit">Revoke access of <bdi>${name}</bdi></button></form></div>
</article>`;
}
