import { html, nothing, render, type TemplateResult } from 'lit';

import { AskError } from '../browser/ask.ts';
import { copyButton } from '../browser/copy-button.ts';
import { openDialog } from '../browser/dialog.ts';
import { faultNotice } from '../browser/fault-notice.ts';
import { type Fields, onSubmit } from '../browser/form.ts';
import { t } from '../browser/texts.ts';

/** A form in a dialog. */
export interface DialogForm {
  readonly title: string;
  readonly lead?: string;
  readonly fields: TemplateResult;
  /** Text of the button. */
  readonly submit: string;
  readonly save: (fields: Fields, data: FormData) => Promise<unknown>;
}

/** Opens a form, which closes when it is saved, and shows why it could not be. */
export function openForm({ title, lead, fields, submit, save }: DialogForm): void {
  const take = async (values: Fields, data: FormData): Promise<void> => {
    const place = document.querySelector<HTMLElement>('.form-fault');
    try {
      await save(values, data);
      close();
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      if (place) render(faultNotice(error), place);
    }
  };
  const close = openDialog(
    title,
    html`<form @submit=${onSubmit(take)}>
      ${lead ? html`<p class="muted">${lead}</p>` : nothing}
      ${fields}
      <div class="form-fault"></div>
      <div class="choices">
        <button class="button" type="submit">${submit}</button>
        <button class="button quiet" type="button" @click=${() => close()}>${t.cancel}</button>
      </div>
    </form>`,
  );
}

/**
 * Shows a text that the service shows once, to be copied.
 *
 * @param isScanned true if a telephone may read it as a QR code
 * @param more a further text to copy, with its lead
 */
export async function showOnce(
  title: string,
  lead: string,
  text: string,
  isScanned = false,
  more?: readonly [lead: string, text: string],
): Promise<void> {
  const picture = isScanned ? (await import('../pairing/qr-code.ts')).qrCode(text, t.records.qr) : nothing;
  const close = openDialog(
    title,
    html`<p>${lead}</p>
      <code class="secret">${text}</code>
      ${picture}
      ${more ? html`<p>${more[0]} ${copyButton(more[1], t.records.copyCode)}</p><code class="secret">${more[1]}</code>` : nothing}
      <div class="choices">
        ${copyButton(text)}
        <button class="button compact" type="button" @click=${() => close()}>${t.records.done}</button>
      </div>`,
  );
}
