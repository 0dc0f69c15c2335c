import { html, nothing, type TemplateResult } from 'lit';

import { type AskError, signInAddress } from './ask.ts';
import { t } from './texts.ts';

/** Draws why a request failed. @param way what the user can do, unless it is to sign in again */
export function faultNotice(
  { code, message }: AskError,
  way: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const isSignInNeeded = code === 'REAUTHENTICATION_REQUIRED';
  return html`<div class="fault" role="alert">
    <p>${message}</p>
    ${isSignInNeeded ? html`<a class="button compact" href=${signInAddress()}>${t.signInAgain}</a>` : way}
  </div>`;
}
