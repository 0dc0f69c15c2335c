import { DEFAULT_SCOPES, SCOPES } from '../../auth/scopes/scope.ts';
import { type Html, html } from '../../http/answers/html.ts';

/** Input of the form that registers an app, with the reason why it was rejected. */
export interface Registration {
  readonly name: string;
  readonly redirectUris: string;
  readonly isPublic: boolean;
  readonly requiresPkce: boolean;
  readonly fault: string | null;
}

/** A form in which nothing has been typed yet. */
export const EMPTY_REGISTRATION: Registration = {
  name: '',
  redirectUris: '',
  isPublic: false,
  requiresPkce: true,
  fault: null,
};

/** Writes the form that registers an app. The fields are `name`, `redirect_uris` (one a line), `is_public` and `requires_pkce`. */
export function registrationForm(action: string, formToken: string, typed: Registration): Html {
  const { name, redirectUris, isPublic, requiresPkce, fault } = typed;
  return html`<section class="card" aria-labelledby="register">
<h2 id="register">Register an app</h2>
${fault !== null && html`<p class="fault" role="alert">${fault}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${formToken}">
<label for="name">Name</label>
<input id="name" name="name" type="text" maxlength="255" required autocomplete="off" value="${name}" aria-describedby="name-hint">
<p class="hint" id="name-hint">Shown to everyone whom the app asks for access.</p>
<label for="redirect_uris">Redirect addresses, one per line</label>
<textarea id="redirect_uris" name="redirect_uris" required spellcheck="false" autocapitalize="none" aria-describedby="redirect-hint" placeholder="https://planner.example/callback">
${redirectUris}</textarea>
<p class="hint" id="redirect-hint">Use https, without wildcards or fragments; http is allowed on localhost, and phone apps may use a custom scheme, such as com.example.app:/callback.</p>
<label class="scope"><input type="checkbox" name="is_public" value="yes"${isPublic && html` checked`}>
<span>This app cannot keep a secret, for example because it runs on a phone. It gets no secret and must use PKCE.</span></label>
<label class="scope"><input type="checkbox" name="requires_pkce" value="yes"${requiresPkce && html` checked`}>
<span>Requests must use PKCE. Untick this only if the app's library does not support it.</span></label>
<p class="hint">The app may ask to ${DEFAULT_SCOPES.map((scope) => SCOPES[scope]).join('; ')}. Ask the operator of this service for further scopes.</p>
<div class="choices"><button class="button" type="submit">Register</button></div>
</form>
</section>`;
}
