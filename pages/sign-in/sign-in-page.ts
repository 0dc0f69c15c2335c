import { type Html, html } from '../../http/answers/html.ts';

/** Contents of the sign-in form. */
export interface SignInView {
  /** Address that the form is sent to. */
  readonly action: string;
  /** Name of the app that asks for sign-in; null for the developer platform. */
  readonly app: string | null;
  /** Text after "Sign in" if there is no app. */
  readonly lead?: string;
  /** Purpose of the page that asks for sign-in. */
  readonly purpose?: string;
  readonly email: string;
  /** Reason why the last attempt failed; null at first. */
  readonly fault: string | null;
  readonly formToken?: string;
  /** Address after sign-in, if the form carries it. */
  readonly to?: string;
}

/** Writes the sign-in form. The fields are `email` and `password`. */
export function signInForm({ action, app, lead = '', purpose, email, fault, formToken, to }: SignInView): Html {
  return html`<div class="card">
<h1>Sign in</h1>
<p class="lead">${app === null ? lead : html`to continue to <bdi class="name">${app}</bdi>`}</p>
${fault !== null && html`<p class="fault" role="alert" id="fault">${fault}</p>`}
<form method="post" action="${action}">
${formToken !== undefined && html`<input type="hidden" name="form_token" value="${formToken}">`}
${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}"${email === '' && html` autofocus`}${describedBy(fault)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${email !== '' && html` autofocus`}${describedBy(fault)}>
<div class="choices">
<button class="button" type="submit">Sign in</button>
${app !== null && html`<button class="button quiet" type="submit" name="decision" value="deny" formnovalidate>Cancel</button>`}
</div>
</form>
${app !== null && html`<p class="small">Only sign in if you have just come from <bdi>${app}</bdi>. It never sees your password.</p>`}
${purpose !== undefined && html`<p class="small">${purpose}</p>`}
</div>`;
}

function describedBy(fault: string | null): Html | false {
  return fault !== null && html` aria-invalid="true" aria-describedby="fault"`;
}
