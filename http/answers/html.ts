/** Markup that needs no escaping; only {@link html} and {@link raw} make it. */
export class Html {
  readonly text: string;

  /** @param text trusted markup */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Value in a template: text is escaped, markup is not, a list is concatenated; null, undefined and false are omitted. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Writes markup; every value is escaped, for text and for quoted attributes alike, unless it is markup already. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(markupOf)));
}

/** Markup from a file or another template, taken as it is; never from input. */
export function raw(text: string): Html {
  return new Html(text);
}

function markupOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(markupOf).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
