import { html, render, type TemplateResult } from 'lit';

import { t } from './texts.ts';

/** Opens a modal dialog with a heading; returns the function that closes it. */
export function openDialog(title: string, content: TemplateResult): () => void {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', title);
  const close = (): void => dialog.close();
  dialog.addEventListener('close', () => dialog.remove());
  const parts = html`<header>
      <h2>${title}</h2>
      <button class="icon-button" type="button" aria-label=${t.close} @click=${close}>×</button>
    </header>
    ${content}`;
  render(parts, dialog);
  document.body.append(dialog);
  dialog.showModal();
  return close;
}

/** Asks before something that cannot be undone; resolves to true if the user agrees. @param action text of the button */
export function confirmed(title: string, text: string, action: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isAgreed: boolean): void => {
      resolve(isAgreed);
      close();
    };
    const close = openDialog(
      title,
      html`<p>${text}</p>
        <div class="choices">
          <button class="button danger" type="button" @click=${() => end(true)}>${action}</button>
          <button class="button quiet" type="button" @click=${() => end(false)}>${t.cancel}</button>
        </div>`,
    );
    document.querySelector('dialog:last-of-type')?.addEventListener('close', () => resolve(false));
  });
}
