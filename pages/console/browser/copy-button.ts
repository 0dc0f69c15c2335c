import { html, type TemplateResult } from 'lit';

import { t } from './texts.ts';
import { toast } from './toast.ts';

/**
 * A button that copies a text.
 *
 * @param label names the button if the page has several
 * @param isPrimary true for the main action of a dialog
 */
export function copyButton(text: string, label: string = t.copy, isPrimary = false): TemplateResult {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    toast(t.copied);
  };
  return html`<button class="button compact ${isPrimary ? '' : 'quiet'}" type="button" @click=${copy}>${label}</button>`;
}
