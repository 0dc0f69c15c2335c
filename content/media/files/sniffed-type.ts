import { isUtf8 } from 'node:buffer';

import { fileTypeFromBuffer } from 'file-type';

/** Length of the beginning of a text that reveals its kind. */
const HEAD_BYTES = 4096;

/** Types of texts by their first characters; the first match wins. */
const TEXT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!doctype svg[^>]*>\s*)*<svg[\s>/]/is, 'image/svg+xml'],
  [/^\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|title|body|script|style|iframe|table|a href)/is, 'text/html'],
  [/^\s*<\?(?:php|=|\s)/i, 'text/x-php'],
  [/^\s*<\?xml/i, 'text/xml'],
  [/^#!/, 'text/x-shellscript'],
  [/^\{\\rtf/, 'application/rtf'],
  [/^BEGIN:VCALENDAR/i, 'text/calendar'],
  [/^WEBVTT/, 'text/vtt'],
];

/** Aliases of types, by the type that the file name implies. */
const SYNONYMS: Readonly<Record<string, string>> = {
  'application/gzip': 'application/x-gzip',
  'application/x-rar-compressed': 'application/rar',
  'image/apng': 'image/png',
  'text/rtf': 'application/rtf',
};

/** Container formats of many kinds of files, which do not reveal the kind. */
const NONSPECIFIC: ReadonlySet<string> = new Set(['application/octet-stream', 'application/zip', 'application/x-cfb']);

/** Kinds of text that cannot be distinguished from plain text. */
const PLAIN_KINDS: ReadonlySet<string> = new Set(['text/plain', 'text/csv', 'text/richtext', 'text/tsv', 'text/vtt']);

/** Detects the MIME type of a file from its bytes: `application/octet-stream` if they are inconclusive. */
export async function sniffedType(bytes: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(bytes);
  const type = found === undefined || found.mime === 'application/xml' ? textType(bytes) : found.mime;
  return SYNONYMS[type] ?? type;
}

/**
 * Returns true if bytes of one type may be stored as another: audio and video need only the same family, some containers
 * are ambiguous, and anything else must be what it claims. Rules: WordPress 4.9.9 and later.
 */
export function mayBeStoredAs(sniffed: string, type: string): boolean {
  const [family] = type.split('/');
  if (NONSPECIFIC.has(sniffed)) return family === 'application' || family === 'video' || family === 'audio';
  if (/^(?:video|audio)\//.test(sniffed)) return sniffed.split('/')[0] === family;
  if (sniffed === 'text/plain') return PLAIN_KINDS.has(type);
  if (sniffed === 'application/rtf') return type === 'application/rtf' || type === 'text/plain';
  return sniffed.toLowerCase() === type.toLowerCase();
}

function textType(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES));
  const text = head.toString(isUtf8(bytes) ? 'utf8' : 'latin1').replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)/, '');
  const known = TEXT_TYPES.find(([start]) => start.test(text))?.[1];
  if (known !== undefined) return known;
  // Bytes that do not occur in text: C0 controls except tab, line feed, form feed, carriage return and escape.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text) ? 'application/octet-stream' : 'text/plain';
}
