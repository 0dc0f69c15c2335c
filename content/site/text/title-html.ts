import { type Html, html } from '../../../http/answers/html.ts';

import { textHtml } from './text-html.ts';
import { dayInWords } from './written-date.ts';

/** Parts of an article that its title is made of. */
interface Titled {
  /** As HTML; empty where it has none. */
  readonly title: string;
  /** By the site's clock. */
  readonly date: string;
  readonly isProtected: boolean;
}

/** Writes the title of an article; one without a title has its date. */
export function titleHtml({ title, date, isProtected }: Titled, language: string): Html {
  const text = textHtml(title);
  const shown = text.text === '' ? html`${dayInWords(date, language)}` : text;
  return isProtected ? html`Protected: ${shown}` : shown;
}
