import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => unknown;
  /** Numbers stand at the end. */
  readonly isNumber?: boolean;
}

/** Draws a table; on narrow screens each row is a block. @param empty is shown without rows */
export function table<Row>(
  label: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  empty: unknown,
): TemplateResult {
  if (rows.length === 0) return html`<div class="empty">${empty}</div>`;
  return html`<table class="list" aria-label=${label}>
    <thead>
      <tr>${columns.map(({ title, isNumber }) => html`<th scope="col" class=${isNumber ? 'number' : ''}>${title}</th>`)}</tr>
    </thead>
    <tbody>
      ${repeat(
        rows,
        keyOf,
        (row) => html`<tr>
          ${columns.map(({ title, cell, isNumber }) => html`<td data-title=${title} class=${isNumber ? 'number' : ''}><div>${cell(row)}</div></td>`)}
        </tr>`,
      )}
    </tbody>
  </table>`;
}
