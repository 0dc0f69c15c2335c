import { cleanUrl } from '../markup/clean-url.ts';
import { parseUrl } from '../../../schema/parse-url.ts';
import { escapeAttribute } from '../markup/escape-markup.ts';
import { tagsOfOneLine } from '../markup/html-pieces.ts';
import { readAttributes } from '../markup/safe-attributes.ts';

const TAG = /<[^<>]+>/g;
const VERBATIM_START = /^<(?:code|pre|script|style)[\s>]/i;
const VERBATIM_END = /^<\/(?:code|pre|script|style)>$/i;

/** A tag that is an address in angle brackets, as in `<http://example.com/>`. */
const ADDRESS_TAG = /^<\s*\w{1,20}:\/\//;

const PLAIN = '\\w\\u0080-\\uffff#%~/@[\\]*(+=&$-';
/** An address with its protocol. Punctuation belongs to it only if more of the address follows. */
const ADDRESS = new RegExp(
  `([\\s(<.,;:!?])(\\w{1,20}://(?=\\S{1,2000}\\s)[${PLAIN}]*(?:['.,;:!?)][${PLAIN}]+)*)(\\)?)`,
  'g',
);
const HOST = /([\s>])((?:www|ftp)\.[\w\u0080-\uffff#$%&~/.\-;:=,?@[\]+]+)/gi;
const EMAIL = /([\s>])([.0-9a-z_+-]+)@((?:[0-9a-z-]+\.)+[0-9a-z]{2,})/gi;
const LINK_IN_LINK = /(<a(?:[ \r\n\t]+[^<>]+>|>))<a [^<>]+>([^>]+?)<\/a><\/a>/gi;

/** Text longer than this is cut at white space, so that no search takes long. */
const MAX_LENGTH = 10_000;
const CHUNK_LENGTH = 2100;

/** Makes links of the addresses, host names (`www.`, `ftp.`) and e-mail addresses in the text of HTML, but not within `code` and the like. */
export function makeClickable(html: string): string {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  const write = (piece: string) => {
    const isMarkup = piece.startsWith('<') && !ADDRESS_TAG.test(piece);
    parts.push(depth > 0 || isMarkup ? piece : linkAll(piece));
  };
  for (const match of html.matchAll(TAG)) {
    const [tag] = match;
    write(html.slice(from, match.index));
    from = match.index + tag.length;
    if (VERBATIM_START.test(tag)) depth++;
    else if (depth > 0 && VERBATIM_END.test(tag)) depth--;
    write(tag);
  }
  write(html.slice(from));
  return parts.join('').replace(LINK_IN_LINK, '$1$2</a>');
}

function linkAll(text: string): string {
  if (text.length <= MAX_LENGTH) return linkAddresses(text);
  return chunksOf(text)
    .map((chunk) => (chunk.length > CHUNK_LENGTH + 1 ? chunk : linkAddresses(chunk)))
    .join('');
}

function linkAddresses(text: string): string {
  if (text === '') return '';
  const linked = ` ${text} `
    .replace(ADDRESS, (all, before, address, bracket) => linkAddress(all, before, address, bracket))
    .replace(HOST, (all, before, host) => linkHost(all, before, host))
    .replace(EMAIL, (_all, before, name, host) => `${before}<a href="mailto:${name}@${host}">${name}@${host}</a>`);
  return linked.slice(1, -1);
}

/** A closing bracket belongs to an address that has the opening one. */
function linkAddress(all: string, before: string, address: string, bracket: string): string {
  const isWithin = bracket !== '' && address.indexOf('(') > 0;
  let url = isWithin ? address + bracket : address;
  let after = isWithin ? '' : bracket;
  let surplus = url.split(')').length - url.split('(').length;
  for (; surplus > 0; surplus--) {
    const last = url.lastIndexOf(')');
    after = url.slice(last) + after;
    url = url.slice(0, last);
  }
  const clean = cleanUrl(url, 'shown');
  return clean === '' ? all : `${before}<a href="${clean}" rel="nofollow">${clean}</a>${after}`;
}

function linkHost(all: string, before: string, host: string): string {
  const end = /[.,;:)]$/.exec(host)?.[0] ?? '';
  const clean = cleanUrl(`http://${host.slice(0, host.length - end.length)}`, 'shown');
  return clean === '' ? all : `${before}<a href="${clean}" rel="nofollow">${clean}</a>${end}`;
}

/** Cuts after white space, each chunk as long as it may be; one without white space is longer. */
function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let start = 0;
  let end = 0;
  for (const word of text.matchAll(/\S*(?:\s|$)/g)) {
    const next = word.index + word[0].length;
    if (next - start > CHUNK_LENGTH + 1 && end > start) {
      chunks.push(text.slice(start, end));
      start = end;
    }
    end = next;
  }
  return [...chunks, text.slice(start)];
}

const LINK = /<a ([^>]+)>/i;

/** Tells search engines not to follow the links of HTML, except those to the host of the website itself. */
export function nofollowLinks(html: string, siteUrl: string): string {
  const siteHost = new URL(siteUrl).hostname;
  return tagsOfOneLine(html)
    .map(({ kind, source }) =>
      kind === 'tag' ? source.replace(LINK, (link, attributes) => nofollowLink(link, attributes, siteHost)) : source,
    )
    .join('');
}

function nofollowLink(link: string, source: string, siteHost: string): string {
  const attributes = readAttributes(source);
  if (hostOf(attributes.get('href')?.value ?? '') === siteHost) return link;
  const rel = attributes.get('rel')?.value;
  if (!rel) return `<a ${source} rel="nofollow">`;
  const parts = rel.split(' ');
  const nofollow = parts.includes('nofollow') ? parts : [...parts, 'nofollow'];
  attributes.delete('rel');
  const rest = [...attributes].map(([name, { value, quote }]) =>
    quote === undefined ? `${name} ` : `${name}="${escapeAttribute(value)}" `,
  );
  return `<a ${rest.join('').trim()} rel="${escapeAttribute(nofollow.join(' '))}">`;
}

function hostOf(address: string): string | undefined {
  return /^https?:\/\//i.test(address) ? parseUrl(address)?.hostname : undefined;
}
