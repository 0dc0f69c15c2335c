import { cleanUrl } from '../rendering/markup/clean-url.ts';
import { escapeMarkup } from '../rendering/markup/escape-markup.ts';
import { stripTags } from '../rendering/plain-text.ts';
import { sanitizeHtml } from '../rendering/markup/sanitize-html.ts';
import { textField } from '../rendering/text-field.ts';

/** A name of somebody as it is stored: one line, ready for HTML. */
export function cleanName(typed: string): string {
  return escapeMarkup(sanitizeHtml(textField(typed), 'comment'));
}

/** The address of somebody's site as it is stored, empty where its protocol is not allowed. */
export function cleanSite(typed: string): string {
  return sanitizeHtml(cleanUrl(stripTags(typed).trim(), 'stored'), 'comment');
}
