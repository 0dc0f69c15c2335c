import { html, nothing, render, type TemplateResult } from 'lit';

import { RequestError } from '../../../client/service/request-error.ts';
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
      if (!(error instanceof RequestError)) throw error;
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
 * @param isLink true for a link, which a phone may read as a QR code
 * @param code a code to copy, with its heading and lead
 */
export async function showOnce(
  title: string,
  lead: string,
  text: string,
  isLink = false,
  code?: readonly [title: string, lead: string, text: string],
): Promise<void> {
  const picture = isLink ? (await import('../pairing/qr-code.ts')).qrCode(text, t.records.qr) : nothing;
  const close = openDialog(
    title,
    html`<p>${lead}</p>
      <code class="secret">${text}</code>
      ${copyButton(text, isLink ? t.records.copyLink : t.copy, true)}
      ${picture}
      ${
        code
          ? html`<h3>${code[0]}</h3><p>${code[1]}</p><code class="secret">${code[2]}</code>${copyButton(code[2], t.records.copyCode)}`
          : nothing
      }
      <div class="choices">
        <button class="button quiet compact" type="button" @click=${() => close()}>${t.records.done}</button>
      </div>`,
  );
}
