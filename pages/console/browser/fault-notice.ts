import { html, nothing, type TemplateResult } from 'lit';

import type { RequestError } from '../../../client/service/request-error.ts';
import { signInAddress } from './ask.ts';
import { t } from './texts.ts';

/** Draws why a request failed. @param way what the user can do, unless it is to sign in again */
export function faultNotice(
  fault: RequestError | string,
  way: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const isSignInNeeded = typeof fault !== 'string' && fault.code === 'REAUTHENTICATION_REQUIRED';
  const text = typeof fault === 'string' ? fault : fault.code === null ? t.unreachable : sentence(fault.message);
  return html`<div class="fault" role="alert">
    <p>${isSignInNeeded ? t.passwordNeeded : text}</p>
    ${isSignInNeeded ? html`<a class="button compact" href=${signInAddress()}>${t.signInAgain}</a>` : way}
  </div>`;
}

/** Writes a message of the service, which has no period, as a sentence; it may begin with the name of a field. */
function sentence(message: string): string {
  return /^\w+_/.test(message) ? `${message}.` : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
