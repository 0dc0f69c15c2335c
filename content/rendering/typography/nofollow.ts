import { parseUrl } from '../../../schema/parse-url.ts';
import { escapeAttribute } from '../markup/escape-markup.ts';
import { tagsOfOneLine } from '../markup/html-pieces.ts';
import { readAttributes } from '../markup/safe-attributes.ts';

const LINK = /<a ([^>]+)>/i;

/** Tells search engines not to follow the links of HTML, but for those to the host of the website itself. */
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
