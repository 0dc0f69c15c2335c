import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';

/** An input with its label. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'number' | 'date' | 'datetime-local' | 'search' | 'url' | 'color';
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
      step=${type === 'number' ? 'any' : nothing} autocomplete=${autocomplete} aria-describedby=${ifDefined(hint && `${name}-hint`)} />
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

/** Draws a field of several lines with its label. */
export function linesField({ name, label, value = '', hint, isRequired = false }: Field): TemplateResult {
  return html`<label for=${name}>${label}</label>
    <textarea id=${name} name=${name} rows="4" ?required=${isRequired} .value=${value} aria-describedby=${ifDefined(hint && `${name}-hint`)}></textarea>
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : nothing}`;
}

/** Draws a box to tick with its label. */
export function checkField({ name, label }: Pick<Field, 'name' | 'label'>, isChecked: boolean): TemplateResult {
  return html`<label class="check"><input type="checkbox" name=${name} ?checked=${isChecked} /> ${label}</label>`;
}

/** Draws a list of boxes to tick under one label; the values of those that are ticked are read by `getAll`. */
export function checksField(
  { name, label, hint }: Pick<Field, 'name' | 'label' | 'hint'>,
  options: readonly (readonly [value: string, text: string | TemplateResult])[],
  chosen: readonly string[],
): TemplateResult | typeof nothing {
  if (options.length === 0) return nothing;
  return html`<fieldset class="checks">
    <legend>${label}</legend>
    ${hint ? html`<p class="hint">${hint}</p>` : nothing}
    <div class="checks-list">
      ${options.map(
        ([value, text]) =>
          html`<label class="check"><input type="checkbox" name=${name} value=${value} ?checked=${chosen.includes(value)} /> ${text}</label>`,
      )}
    </div>
  </fieldset>`;
}

/** The values of the fields of a form. */
export type Fields = Readonly<Record<string, string>>;

/** Returns a handler for `submit` that passes the fields of the form on, and lets it be sent once at a time. */
export function onSubmit(take: (fields: Fields, data: FormData) => Promise<unknown>) {
  return async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const buttons = [...form.querySelectorAll<HTMLButtonElement>('button[type="submit"]')];
    if (buttons.some((button) => button.disabled)) return;
    for (const button of buttons) button.disabled = true;
    try {
      const data = new FormData(form);
      await take(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])), data);
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  };
}
