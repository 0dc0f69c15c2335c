import { html, nothing, type TemplateResult } from 'lit';

import { confirmed } from '../browser/dialog.ts';
import { type DialogForm, openForm } from './form-dialog.ts';
import { type Column, table } from '../browser/list.ts';
import { PageElement } from '../browser/page-element.ts';
import type { ByKey } from './records.ts';
import { t } from '../browser/texts.ts';
import { toast } from '../browser/toast.ts';

/** Something that can be done with a record. */
export interface Action {
  readonly label: string;
  readonly run: () => unknown;
  readonly isDangerous?: boolean;
}

/** A list of records under a heading. */
export interface Section<Row extends ByKey> {
  readonly title: string;
  readonly lead?: string;
  readonly add?: Action;
  /** Choices above the list. */
  readonly controls?: TemplateResult;
  readonly columns: readonly Column<Row>[];
  readonly list: { readonly rows: readonly Row[]; readonly hasMore?: boolean; more?(): Promise<void> };
  /** Distinguishes the rows; their keys by default. */
  readonly keyOf?: (row: Row) => string;
  readonly empty: string;
  /** The first is a button; further ones are in a menu if there are more than two. */
  readonly actions?: (row: Row) => readonly Action[];
  /** Name of a row for the menu of its actions. */
  readonly nameOf?: (row: Row) => string;
}

/** A page of lists, with forms that create and change their records. */
export abstract class RecordsPage extends PageElement {
  #undo: { readonly text: string; readonly action: Action } | null = null;

  /** Draws a list with its heading. */
  protected section<Row extends ByKey>(section: Section<Row>): TemplateResult {
    const { title, lead, add, list, keyOf = ({ key }) => key, empty, actions, nameOf = keyOf } = section;
    const last: Column<Row>[] = actions
      ? [{ title: t.records.actions, isNumber: true, cell: (row) => actionsOf(actions(row), nameOf(row)) }]
      : [];
    const more = (): Promise<boolean> => this.attempt(async () => list.more?.());
    return html`<section class="records" aria-label=${title}>
      <header>
        <div><h2>${title}</h2>${lead ? html`<p class="muted">${lead}</p>` : nothing}</div>
        ${add ? html`<button class="button compact" type="button" @click=${add.run}>${add.label}</button>` : nothing}
      </header>
      ${section.controls ?? nothing}
      ${table(title, [...section.columns, ...last], list.rows, keyOf, empty)}
      ${list.hasMore ? html`<button class="button quiet compact" type="button" @click=${more}>${t.more}</button>` : nothing}
    </section>`;
  }

  /** Opens a form; when it is saved, the page is read again and says so, unless a further dialog shows what came of it. */
  protected edit(form: DialogForm): void {
    const save: DialogForm['save'] = async (fields, data) => {
      await form.save(fields, data);
      await this.#reload(document.querySelectorAll('dialog').length > 1 ? '' : t.saved);
    };
    openForm({ ...form, save });
  }

  /** Does something at once, reads the page again and tells that it is done, unless the work offers to take it back. */
  protected async act(work: () => Promise<unknown>, done: string): Promise<void> {
    const offered = this.#undo;
    await this.attempt(async () => {
      await work();
      await this.#reload(this.#undo === offered ? done : '');
    });
  }

  /** Does something that cannot be undone, if the user agrees. */
  protected async actIfConfirmed(
    question: { readonly title: string; readonly text: string; readonly action: string },
    work: () => Promise<unknown>,
  ): Promise<void> {
    if (await confirmed(question.title, question.text, question.action)) await this.act(work, t.records.done);
  }

  /** The action that removes a record, if the user agrees. */
  protected removal(label: string, name: string, text: string, work: () => Promise<unknown>): Action {
    const question = { title: name === '' ? label : `${label}: ${name}`, text, action: label };
    return { label, isDangerous: true, run: () => this.actIfConfirmed(question, work) };
  }

  /** Offers for as long as the page is open to take the latest removal back. */
  protected offerUndo(text: string, label: string, work: () => Promise<unknown>): void {
    const run = (): Promise<void> => {
      this.#undo = null;
      return this.act(work, t.records.done);
    };
    this.#undo = { text, action: { label, run } };
  }

  /** Draws the offer of {@link offerUndo}. */
  protected undoNotice(): TemplateResult | typeof nothing {
    if (!this.#undo) return nothing;
    const { text, action } = this.#undo;
    return html`<div class="done" role="status">
      <p>${text}</p>
      <button class="button quiet compact" type="button" @click=${action.run}>${action.label}</button>
    </div>`;
  }

  async #reload(done: string): Promise<void> {
    await this.load();
    this.requestUpdate();
    if (done) toast(done);
  }
}

function actionsOf(actions: readonly Action[], name: string): TemplateResult {
  const [first, ...others] = actions;
  const rest = others.length > 1 ? menu(others, name) : others.map((action) => actionButton(action, name));
  return html`<div class="row-actions">${first ? actionButton(first, name) : nothing}${rest}</div>`;
}

function actionButton({ label, run, isDangerous }: Action, name: string): TemplateResult {
  return html`<button class="button quiet compact ${isDangerous ? 'danger' : ''}" type="button" aria-label="${label}: ${name}" @click=${run}>${label}</button>`;
}

/** A button that shows further actions below it, until one is chosen or the focus leaves. */
function menu(actions: readonly Action[], name: string): TemplateResult {
  const close = (event: Event): void =>
    (event.currentTarget as HTMLElement).closest('details')?.removeAttribute('open');
  const leave = (event: FocusEvent): void => {
    const details = event.currentTarget as HTMLElement;
    if (!details.contains(event.relatedTarget as Node | null)) details.removeAttribute('open');
  };
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close(event);
  };
  return html`<details class="menu" @focusout=${leave} @keydown=${closeOnEscape}>
    <summary aria-label="${t.records.moreActions(name)}"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="M4 10h.01M10 10h.01M16 10h.01"></path></svg></summary>
    <ul>
      ${actions.map(({ label, run, isDangerous }) => {
        const choose = (event: Event): void => {
          close(event);
          run();
        };
        return html`<li><button class=${isDangerous ? 'danger' : ''} type="button" @click=${choose}>${label}</button></li>`;
      })}
    </ul>
  </details>`;
}
