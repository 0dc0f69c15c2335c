import type { ListedSession } from '../../auth/oauth/session-list.ts';
import type { ApiKey } from '../../schema/account/api-key.ts';
import type { SecurityEvent } from '../../schema/account/security-event.ts';
import { SECURITY_EVENTS } from '../../schema/account/security-event-kinds.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import type { Page } from '../../schema/page.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { newPasswordFields } from './password-fields.ts';

/** The address to which a form of the security page is sent, and its token. */
export interface FormTarget {
  readonly action: string;
  readonly formToken: string;
}

/** The shown facts about the password. */
export interface PasswordView extends FormTarget {
  readonly email: string;
  readonly changed: Date | null;
  /** Reason why the last attempt to change it failed; null if there was none. */
  readonly fault: PasswordFault | null;
}

/** Reason why a change of the password was rejected, and the field at fault. */
export interface PasswordFault {
  readonly field: 'current' | 'password';
  readonly text: string;
}

/** Writes the form that changes the password. The fields are `current`, `password` and `revoke_grants`. */
export function passwordSection({ action, formToken, email, changed, fault }: PasswordView): Html {
  return html`<section class="card" aria-labelledby="password">
<h2 id="password">Password</h2>
<p class="lead">${changed === null ? 'Changing it signs you out in every other browser.' : html`Last changed on ${writtenTime(changed)}. Changing it signs you out in every other browser.`}</p>
${fault !== null && html`<p class="fault" role="alert" id="password-fault">${fault.text}</p>`}
<form method="post" action="${action}">
${tokenField(formToken)}<input type="email" autocomplete="username" value="${email}" readonly hidden>
<label for="current-password">Current password</label>
<input id="current-password" name="current" type="password" autocomplete="current-password" maxlength="1024" required${fault?.field === 'current' && html` aria-invalid="true" aria-describedby="password-fault"`}>
${newPasswordFields(fault?.field === 'password')}
<div class="choices"><button class="button" type="submit">Change password</button></div>
</form>
</section>`;
}

/** The sessions of a user, and the forms that end them. */
export interface SessionsView {
  readonly sessions: readonly ListedSession[];
  /** Id of the session that shows the page. */
  readonly current: string;
  readonly endOne: FormTarget;
  readonly endAll: FormTarget;
}

/** Writes in which browsers a user is signed in. */
export function sessionsSection({ sessions, current, endOne, endAll }: SessionsView): Html {
  return html`<section class="card" aria-labelledby="sessions">
<h2 id="sessions">Signed-in browsers</h2>
<p class="lead">If you do not recognize one of them, sign out everywhere and change your password.</p>
${sessions.map((session) => sessionEntry(session, session.uid === current, endOne))}
<div class="actions"><form method="post" action="${endAll.action}">${tokenField(endAll.formToken)}
<button class="button danger compact" type="submit">Sign out everywhere</button></form></div>
</section>`;
}

function sessionEntry(session: ListedSession, isCurrent: boolean, { action, formToken }: FormTarget): Html {
  const { uid, browser, network, signed_in, last_used } = session;
  const name = browser ?? 'Unknown browser';
  return html`<article class="entry" aria-label="${name}">
<h3>${name}${isCurrent && html` <span class="badge">This browser</span>`}</h3>
<dl class="facts">
<dt>Last used</dt><dd>${writtenTime(last_used ?? signed_in)}</dd>
<dt>Signed in</dt><dd>${writtenTime(signed_in)}</dd>
<dt>Network</dt><dd>${network ?? 'Unknown'}</dd>
</dl>
${
  !isCurrent &&
  html`<div class="actions"><form method="post" action="${action}">${tokenField(formToken)}<input type="hidden" name="session" value="${uid}">
<button class="button quiet compact" type="submit">Sign out there</button></form></div>`
}</article>`;
}

/** Writes the API keys of an account, the newest first. */
export function apiKeysSection(keys: readonly ApiKey[], { action, formToken }: FormTarget): Html {
  return html`<section class="card" aria-labelledby="api-keys">
<h2 id="api-keys">API keys</h2>
<p class="lead">${keys.length === 0 ? 'The account has none.' : 'Anyone who has one of these keys has full access to the account.'}</p>
${keys.map(
  ({ key, created, last_used, revoked }) => html`<article class="entry" aria-label="API key ${key}">
<h3><code>${key}</code>${revoked !== null && html` <span class="badge">Revoked</span>`}</h3>
<dl class="facts">
<dt>Created</dt><dd>${writtenTime(created)}</dd>
<dt>Last used</dt><dd>${last_used === null ? 'Never' : writtenTime(last_used)}</dd>
${revoked !== null && html`<dt>Revoked</dt><dd>${writtenTime(revoked)}</dd>`}
</dl>
${
  revoked === null &&
  html`<div class="actions"><details><summary>Revoke…</summary>
<form method="post" action="${action}">${tokenField(formToken)}<input type="hidden" name="key" value="${key}">
<p class="small">Programs that use it lose access with their next request. This cannot be undone.</p>
<button class="button danger compact" type="submit">Revoke this key</button></form></details></div>`
}</article>`,
)}</section>`;
}

/** The shown part of the security log. */
export interface LogView {
  readonly events: Page<SecurityEvent>;
  /** True for the log of the whole account, false for that of one user. */
  readonly isOfAccount: boolean;
  /** E-mail addresses of users by key. */
  readonly emails: ReadonlyMap<string, string | null>;
  /** Names of apps by client id. */
  readonly apps: ReadonlyMap<string, string>;
  /** Address of the page, to which the link to older events is added. */
  readonly url: string;
}

/** Writes the security log, the newest event first. */
export function logSection({ events, isOfAccount, emails, apps, url }: LogView): Html {
  const { nodes, page_info } = events;
  const next = page_info.has_next_page ? page_info.end_cursor : null;
  return html`<section class="card" aria-labelledby="log">
<h2 id="log">Security log</h2>
<p class="lead">${isOfAccount ? 'Security events of the account, newest first.' : 'Security events of your sign-in, newest first.'}</p>
<div class="log"><table>
<thead><tr><th scope="col">When</th><th scope="col">What</th>${isOfAccount && html`<th scope="col">User</th>`}<th scope="col">From</th></tr></thead>
<tbody>
${nodes.map(
  (event) => html`<tr>
<td>${writtenTime(event.time)}</td>
<td>${SECURITY_EVENTS[event.kind]}${event.count > 1 && html` <span class="badge">${event.count} times</span>`}${event.subject !== null && html` <span class="subject">${apps.get(event.subject) ?? html`<code>${event.subject}</code>`}</span>`}</td>
${isOfAccount && html`<td>${event.user_key !== null && (emails.get(event.user_key) ?? event.user_key)}</td>`}
<td>${[ACTORS[event.actor], event.browser, event.network].filter((part) => part).join(', ') || 'Unknown'}</td>
</tr>
`,
)}</tbody>
</table></div>
${next !== null && html`<p class="small"><a href="${url}?after=${next}#log">Older events</a></p>`}
</section>`;
}

/** Names of actors other than people in browsers. */
const ACTORS: Readonly<Record<string, string>> = {
  operator: 'Operator',
  owner: 'API key',
  app: 'App',
  service: 'The service',
};

function tokenField(formToken: string): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}">`;
}

/** Writes a time to the minute, in UTC. */
function writtenTime(time: Date): Html {
  const offset = formatOffsetDateTime(time);
  return html`<time datetime="${offset}">${offset.slice(0, 10)} ${offset.slice(11, 16)}</time> UTC`;
}
