import { type Html, html } from '../../../http/answers/html.ts';

/** A year, a month or a day. */
export interface CalendarDate {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
}

/** The language of a website as browsers name it: `en-US` of `en_US`; American English if the setting names none. */
export function languageTag(language: string | null): string {
  const tag = (language ?? '').replaceAll('_', '-');
  return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(tag) ? tag : 'en-US';
}

/**
 * A day in words.
 *
 * @param local `YYYY-MM-DDThh:mm:ss` by the site's clock
 */
export function dayInWords(local: string, language: string): string {
  return inWords(local, { dateStyle: 'long' }, language);
}

/** A `time` element that shows a day. */
export function timeElement(local: string, language: string): Html {
  return html`<time datetime="${local}">${dayInWords(local, language)}</time>`;
}

/** A day, a month or a year in words. */
export function dateInWords({ year, month, day }: CalendarDate, language: string): string {
  const local = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1)).toISOString();
  if (month === undefined) return String(year);
  return inWords(local, day === undefined ? { year: 'numeric', month: 'long' } : { dateStyle: 'long' }, language);
}

function inWords(local: string, options: Intl.DateTimeFormatOptions, language: string): string {
  const moment = Date.parse(`${local.slice(0, 19)}Z`);
  if (Number.isNaN(moment)) return '';
  return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(moment);
}
