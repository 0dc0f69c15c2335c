import { type Html, html } from '../../../http/answers/html.ts';

import { PROTECTED_TEXT } from '../text/protected-text.ts';
import type { FormFault } from './form-state.ts';

/** Writes the form that asks for the password of an item. */
export function passwordForm(root: string, item: number, fault: FormFault | null): Html {
  return html`<form class="form password" method="post" action="${root}site/password">
<p>${PROTECTED_TEXT} Enter it to read on. A cookie remembers it in this browser for ten days.</p>
<input type="hidden" name="post" value="${item}">
<div class="field">
<label for="post-password">Password</label>
<input id="post-password" type="password" name="post_password" autocomplete="off" maxlength="255" required${fault !== null && html` aria-invalid="true" aria-describedby="post-password-fault"`}>
${fault !== null && html`<p class="fault" id="post-password-fault" role="alert">${fault.message}</p>\n`}</div>
<button class="button" type="submit">Open</button>
</form>`;
}
