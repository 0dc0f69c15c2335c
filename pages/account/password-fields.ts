import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../auth/secrets/password-rule.ts';
import { type Html, html } from '../../http/answers/html.ts';

/** Writes the fields in which a new password is set: `password`, and `revoke_grants`, a box to tick. */
export function newPasswordFields(isFaulty: boolean): Html {
  return html`${newPasswordField('New password', isFaulty)}
<label class="scope"><input type="checkbox" name="revoke_grants" value="yes">
<span>Also revoke the access of all apps. They will have to ask you again.</span></label>`;
}

/** Writes the field `password` for a new one. The alert of a fault has the id `password-fault`. */
export function newPasswordField(label: string, isFaulty: boolean): Html {
  return html`<label for="new-password">${label}</label>
<input id="new-password" name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}" required aria-describedby="password-hint${isFaulty && ' password-fault'}"${isFaulty && html` aria-invalid="true"`}>
<p class="hint" id="password-hint">At least ${MIN_PASSWORD_LENGTH} characters of any kind. Several words in a row are easy to remember; a password manager can create and store one for you.</p>`;
}
