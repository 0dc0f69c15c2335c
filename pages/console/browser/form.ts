import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';

/** An input with its label. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'number' | 'date' | 'datetime-local' | 'search' | 'url';
  readonly value?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  readonly autocomplete?: AutoFill;
}

/** Draws an input with its label and hint. */
export function textField(field: Field): TemplateResult {
  const { name, label, type = 'text', value = '', hint, isRequired = false, maxLength, autocomplete = 'off' } = field;
  return html`<label for=${name}>${label}</label>
    <input
      id=${name} name=${name} type=${type} .value=${value} ?required=${isRequired} maxlength=${ifDefined(maxLength)}
      autocomplete=${autocomplete} aria-describedby=${ifDefined(hint && `${name}-hint`)} />
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : nothing}`;
}

/** Draws a list of choices with its label. @param options values with their texts */
export function choiceField(
  { name, label, value = '' }: Pick<Field, 'name' | 'label' | 'value'>,
  options: readonly (readonly [value: string, text: string])[],
): TemplateResult {
  return html`<label for=${name}>${label}</label>
    <select id=${name} name=${name}>
      ${options.map(([key, text]) => html`<option value=${key} ?selected=${key === value}>${text}</option>`)}
    </select>`;
}

/** Returns a handler for `submit` that passes the fields of the form on, and lets it be sent once at a time. */
export function onSubmit(take: (fields: Readonly<Record<string, string>>) => Promise<unknown>) {
  return async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const buttons = [...form.querySelectorAll<HTMLButtonElement>('button[type="submit"]')];
    if (buttons.some((button) => button.disabled)) return;
    for (const button of buttons) button.disabled = true;
    try {
      await take(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])));
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  };
}
