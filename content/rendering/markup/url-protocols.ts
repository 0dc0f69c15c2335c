import { trimAscii } from './white-space.ts';

const ALLOWED = new Set(
  'http https ftp ftps mailto news irc gopher nntp feed telnet mms rtsp svn tel fax xmpp webcal urn'.split(' '),
);

const COLON = /:|&#0*58;|&#x0*3a;|&colon;/i;
const UNENDED_COLON = /(?:&#0*58(?![;0-9])|&#x0*3a(?![;a-f0-9]))/gi;
const MAX_ROUNDS = 6;

/**
 * Takes every protocol that is not allowed off an address, until none is left: `javascript:alert(1)` becomes `alert(1)`.
 * The address may be written with character references. One that keeps changing is given up: empty.
 */
export function withoutBadProtocol(address: string): string {
  let current = withoutControls(address).replace(/\\+0+/g, '');
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = stripOnce(current, 1);
    if (next === current) return current;
    current = next;
  }
  return '';
}

/** Takes control characters out, but for tab and line ends. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '');
}

function stripOnce(address: string, depth: number): string {
  const ended = address.replace(UNENDED_COLON, '$&;');
  const colon = COLON.exec(ended);
  if (!colon) return ended;
  const before = ended.slice(0, colon.index);
  if (before.includes('/?')) return ended;
  const rest = trimAscii(ended.slice(colon.index + colon[0].length));
  const protocol = withoutControls(decodeReferences(before).replace(/[ \t\n\v\f\r]/g, '')).toLowerCase();
  if (!ALLOWED.has(protocol)) return rest;
  if (protocol !== 'feed') return `${protocol}:${rest}`;
  if (depth > 2) return '';
  const target = stripOnce(rest, depth + 1);
  return target === '' ? '' : `feed:${target}`;
}

function decodeReferences(text: string): string {
  return text
    .replace(/&#([0-9]+);/g, (_reference, digits) => character(Number(digits)))
    .replace(/&#[Xx]([0-9A-Fa-f]+);/g, (_reference, digits) => character(Number.parseInt(digits, 16)));
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
