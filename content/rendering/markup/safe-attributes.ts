import { withoutBadProtocol, withoutControls } from './clean-url.ts';
import { trimAscii } from './white-space.ts';

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
/** The stretch that is omitted where an attribute was expected and none can be read. */
const MALFORMED = new RegExp(`(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^ \\t\\n\\v\\f\\r"'])*${SPACE}*`, 'y');

/** Reads the source of attributes and writes the allowed ones, each after a space; of duplicates, the first counts. */
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
  /** The quotation mark around the value; absent if the attribute has no value. */
  readonly quote?: '"' | "'";
}

function safeAttribute(name: string, { value, quote }: Attribute): string {
  if (quote === undefined) return name.toLowerCase() === 'style' ? '' : ` ${name}`;
  const isStyle = name.toLowerCase() === 'style';
  const safe = isStyle ? safeStyle(value) : ADDRESSES.has(name.toLowerCase()) ? withoutBadProtocol(value) : value;
  return isStyle && (safe === '' || safe === '0') ? '' : ` ${name}=${quote}${safe}${quote}`;
}

/** Reads the source of attributes into names, in their order and spelling, and values; malformed ones are omitted. */
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

const PROPERTIES = new Set(
  (
    'background background-color border border-width border-color border-style border-right border-right-color ' +
    'border-right-style border-right-width border-bottom border-bottom-color border-bottom-style border-bottom-width ' +
    'border-left border-left-color border-left-style border-left-width border-top border-top-color border-top-style ' +
    'border-top-width border-spacing border-collapse caption-side color font font-family font-size font-style ' +
    'font-variant font-weight letter-spacing line-height text-decoration text-indent text-align height min-height ' +
    'max-height width min-width max-width margin margin-right margin-bottom margin-left margin-top padding ' +
    'padding-right padding-bottom padding-left padding-top clear cursor direction float overflow vertical-align ' +
    'list-style-type'
  ).split(' '),
);

/** Characters that could call a function, escape a character or hide something. */
const SUSPECT = /[\\(&=}]|\/\*/;

/** Keeps the declarations of a `style` attribute that strangers may use; empty if there are none, or anything is suspicious. */
function safeStyle(style: string): string {
  const oneLine = withoutControls(style)
    .replace(/\\+0+/g, '')
    .replace(/[\n\r\t]/g, '');
  if (SUSPECT.test(oneLine)) return '';
  return trimAscii(oneLine)
    .split(';')
    .filter((declaration) => declaration !== '')
    .map(trimAscii)
    .filter(
      (declaration) => !declaration.includes(':') || PROPERTIES.has(trimAscii(declaration.split(':', 1)[0] ?? '')),
    )
    .join(';');
}
