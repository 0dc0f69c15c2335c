import { normalizeReferences } from './character-references.ts';
import { withoutBadProtocol } from './url-protocols.ts';
import { withoutOctets } from './without-octets.ts';

const NOT_IN_ADDRESSES = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/gi;
/** Digits of encoded line ends. */
const LINE_ENDS = /0[da]/i;
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i;

/**
 * An address as it may stand in a link, empty if its protocol is not allowed. `http://` is put before what has neither a
 * protocol nor a path. `shown` addresses are ready for HTML; `stored` ones keep `&` and `'`.
 */
export function cleanUrl(address: string, use: 'shown' | 'stored'): string {
  const trimmed = address.replace(/^[ \t\n\r\0\v]+/, '');
  let url = trimmed.replaceAll(' ', '%20').replace(NOT_IN_ADDRESSES, '');
  if (url === '') return '';
  if (!/^mailto:/i.test(url)) url = withoutOctets(url, LINE_ENDS);
  url = url.replaceAll(';//', '://');
  if (!url.includes(':') && !/^[/#?]/.test(url) && !/^[a-z0-9-]+\.php/i.test(url)) url = `http://${url}`;
  if (use === 'shown') url = normalizeReferences(url).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;');
  url = encodeBrackets(url);
  if (url.startsWith('/')) return url;
  const good = withoutBadProtocol(url);
  return good.toLowerCase() === url.toLowerCase() ? good : '';
}

/** Square brackets mean something only around the address of a host. */
function encodeBrackets(url: string): string {
  const authority = AUTHORITY.exec(url)?.[0] ?? '';
  return authority + url.slice(authority.length).replaceAll('[', '%5B').replaceAll(']', '%5D');
}
