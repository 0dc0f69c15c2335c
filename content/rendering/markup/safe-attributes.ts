import { safeStyle } from './safe-style.ts';
import { withoutBadProtocol } from './url-protocols.ts';

/** The attributes whose value is an address. */
const ADDRESSES = new Set(
  'action archive background cite classid codebase data formaction href icon longdesc manifest poster profile src usemap xmlns'.split(
    ' ',
  ),
);

const SPACE = '[ \\t\\n\\v\\f\\r]';
const NAME = /[-a-zA-Z:]+/y;
const EQUALS = new RegExp(`${SPACE}*=${SPACE}*`, 'y');
const GAP = new RegExp(`${SPACE}+`, 'y');
/** A value, and what must follow it: white space, or the end, perhaps with a slash. */
const VALUE = new RegExp(`(?:"([^"]*)"|'([^']*)'|([^ \\t\\n\\v\\f\\r"']+))(?:${SPACE}+|/?$)`, 'y');
/** What is left out where an attribute was expected and none can be read. */
const MALFORMED = new RegExp(`(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^ \\t\\n\\v\\f\\r"'])*${SPACE}*`, 'y');

/** Reads the source of attributes and writes those allowed, each after a space; of two of a name the first counts. */
export function safeAttributes(source: string, allowed: ReadonlySet<string>): string {
  return [...readAttributes(source)]
    .filter(([name]) => allowed.has(name.toLowerCase()))
    .map(([name, attribute]) => safeAttribute(name, attribute))
    .join('')
    .replace(/[<>]/g, '');
}

/** An attribute as it is written. */
export interface Attribute {
  readonly value: string;
  /** The quotation mark around the value; absent where the attribute has no value. */
  readonly quote?: '"' | "'";
}

function safeAttribute(name: string, { value, quote }: Attribute): string {
  if (quote === undefined) return name.toLowerCase() === 'style' ? '' : ` ${name}`;
  const isStyle = name.toLowerCase() === 'style';
  const safe = isStyle ? safeStyle(value) : ADDRESSES.has(name.toLowerCase()) ? withoutBadProtocol(value) : value;
  return isStyle && (safe === '' || safe === '0') ? '' : ` ${name}=${quote}${safe}${quote}`;
}

/** Reads the source of attributes into names, in their order and spelling, and values; what is malformed is left out. */
export function readAttributes(source: string): Map<string, Attribute> {
  const attributes = new Map<string, Attribute>();
  const note = (name: string, attribute: Attribute) => {
    if (!attributes.has(name)) attributes.set(name, attribute);
  };
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) at += match[0].length;
    return match;
  };
  while (at < source.length) {
    const name = read(NAME)?.[0];
    if (name === undefined) {
      read(MALFORMED);
    } else if (read(EQUALS)) {
      const value = read(VALUE);
      if (!value) read(MALFORMED);
      else note(name, { value: value[1] ?? value[2] ?? value[3] ?? '', quote: value[2] === undefined ? '"' : "'" });
    } else if (read(GAP) || at === source.length) {
      note(name, { value: '' });
    } else {
      read(MALFORMED);
    }
  }
  return attributes;
}
