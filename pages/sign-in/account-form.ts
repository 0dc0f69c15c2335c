import type { ChoosableAccount } from '../../auth/oauth/sign-in.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { accountName } from './account-name.ts';
import type { SignInView } from './sign-in-page.ts';

/** Contents of the form that chooses an account. */
export interface AccountFormView extends Pick<SignInView, 'action' | 'app' | 'email' | 'formToken' | 'to'> {
  /** Secret of the choice. */
  readonly choice: string;
  readonly accounts: readonly ChoosableAccount[];
}

/**
 * Writes the form that chooses one of the accounts with the entered password. The fields are `choice`, and `user` of a button.
 */
export function accountForm({ action, app, email, choice, accounts, formToken, to }: AccountFormView): Html {
  return html`<div class="card">
<h1>Choose an account</h1>
<p class="lead"><strong>${email}</strong> can sign in to several accounts with this password.</p>
<form method="post" action="${action}">
${formToken !== undefined && html`<input type="hidden" name="form_token" value="${formToken}">`}
${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}
<input type="hidden" name="choice" value="${choice}">
<ul class="accounts">
${accounts.map(
  ({ user_key, nickname, role }) =>
    html`<li><button class="button quiet" type="submit" name="user" value="${user_key}">${accountName(nickname)} <small>as ${role}</small></button></li>
`,
)}</ul>
${app !== null && html`<div class="choices"><button class="button quiet" type="submit" name="decision" value="deny">Cancel</button></div>`}
</form>
${app !== null && html`<p class="small"><bdi>${app}</bdi> gets no access until you allow it.</p>`}
</div>`;
}
