import { SCOPES, type Scope } from '../../auth/scopes/scope.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { accountName } from './account-name.ts';

/** Contents of the consent form. */
export interface ConsentView {
  /** Address that the form is sent to. */
  readonly action: string;
  readonly app: string;
  /** Name of the publisher; null if it has none. */
  readonly publisher: string | null;
  /** The operator of the service has reviewed the app. */
  readonly isReviewed: boolean;
  /** Address to which the browser goes afterwards. */
  readonly returnsTo: string;
  /** E-mail address of the user who is asked. */
  readonly email: string;
  /** Name of the account that access is given to; null if it has none. */
  readonly account: string | null;
  readonly scopes: readonly Scope[];
  /** Address at which another user can sign in for the same request. */
  readonly switchUser: string;
  /** Address of the page that revokes grants. */
  readonly appsUrl: string;
  readonly fault: string | null;
}

/** Writes the form that asks for consent. The fields are `scope`, one for each ticked box, and `decision`. */
export function consentForm(view: ConsentView): Html {
  const { action, app, publisher, isReviewed, returnsTo, email, account, scopes, switchUser, appsUrl, fault } = view;
  return html`<div class="card">
<h1>Allow <bdi class="name">${app}</bdi> to use your account?</h1>
<p class="lead">Published by <bdi class="name">${publisher ?? 'an account without a name'}</bdi>.</p>
${!isReviewed && html`<p class="warning" role="note"><strong>This app has not been reviewed.</strong> Its name and publisher have not been verified. Allow it only if you trust its developers.</p>`}
<p class="lead">You are signed in as <strong>${email}</strong> to ${accountName(account)}. <a href="${switchUser}">Use another account</a></p>
${fault !== null && html`<p class="fault" role="alert">${fault}</p>`}
<form method="post" action="${action}">
<fieldset>
<legend>It asks to</legend>
<ul class="scopes">
${scopes.map(scopeChoice)}</ul>
</fieldset>
<p class="small">Untick what you do not want to allow. You will then be sent to <strong>${destinationOf(returnsTo)}</strong>.</p>
<div class="choices">
<button class="button" type="submit" name="decision" value="allow">Allow</button>
<button class="button quiet" type="submit" name="decision" value="deny">Deny</button>
</div>
</form>
<p class="small">You can revoke this at any time under <a href="${appsUrl}">Connected apps</a>.</p>
</div>`;
}

/** Describes a redirect address: its host, or an app on this device. */
function destinationOf(redirectUri: string): string {
  const { host, protocol, hostname } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') return `the app ${protocol.slice(0, -1)} on this device`;
  return protocol === 'http:' ? `a program on this device (${hostname})` : host;
}

function scopeChoice(scope: Scope): Html {
  const changes = scope.endsWith('.manage');
  return html`<li><label class="scope"><input type="checkbox" name="scope" value="${scope}" checked>
<span>${SCOPES[scope]}${changes && html` <b class="changes">can make changes</b>`} <code>${scope}</code></span></label></li>
`;
}
