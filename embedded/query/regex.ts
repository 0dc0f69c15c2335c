import { check, unsupported } from '../bson/mongo-error.ts';

/** Prepares a pattern of MongoDB (PCRE); throws for one that JavaScript's engine reads differently. */
export function compileRegex(pattern: string, options: string): RegExp {
  const flags = new Set(options);
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  for (const flag of inline?.[1] ?? '') flags.add(flag);
  if (flags.delete('x')) throw unsupported('Regular expression option x');
  for (const flag of flags) check('imsu'.includes(flag), 'BadValue', `invalid flag in regex options: ${flag}`);
  const source = pattern.slice(inline?.[0].length ?? 0);
  if (isForeign(source)) throw unsupported(`Regular expression ${pattern}`);
  const translated = translate(source, flags);
  const letters = [...flags].filter((flag) => flag !== 'm').join('');
  const unicode = withFlags(translated, `${letters}u`);
  if (!unicode && /\\[pP]/.test(source)) throw unsupported(`Regular expression ${pattern}`);
  const regex = unicode ?? withFlags(translated, letters);
  check(regex, 'Location51091', `Regular expression is invalid: ${pattern}`);
  return regex;
}

/** An escape, a class or a character that the two engines may read differently. */
const TOKENS = /\\.?|\[\^?\]?(?:\\.|[^\]\\])*\]|[.^$]/gs;

/** The escapes that mean the same to both; the group has any other, which is one of PCRE's or a letter in JavaScript. */
const ESCAPES = /\\(?:[bBdDfnrsStwWk\d]|c[A-Za-z]|x[\dA-Fa-f]{2}|[pP]\{|[^A-Za-z]|(.?))/gs;

/** Classes that begin with a bracket, or have names in them. */
const CLASSES = /^\[\^?\]|^\[.*\[:/s;

/** Groups and possessive quantifiers of PCRE's alone. */
const GROUPS = /\(\?(?:[+#>|(RPC&\d]|[-imsxnJU^]+[:)])|[*+?}]\+|\(\*/;

function isForeign(source: string): boolean {
  return (
    [...source.matchAll(ESCAPES)].some(([, foreign]) => foreign !== undefined) ||
    [...source.matchAll(TOKENS)].some(([token]) => CLASSES.test(token)) ||
    GROUPS.test(source.replaceAll(TOKENS, '_'))
  );
}

/** White space is that of ASCII in PCRE; ranges stand last, so that a hyphen that follows is one. */
const SPACE = String.raw` \t-\r`;
const FOREIGN_SPACE = String.raw`\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff\u2000-\u200a`;

/** Tokens with another meaning in PCRE: lines end with a newline alone, and the end may be before the last one. */
const OUTSIDE_CLASSES: ReadonlyMap<string, string> = new Map([
  ['.', String.raw`[^\n]`],
  ['$', String.raw`(?=\n?$)`],
  [String.raw`\s`, `[${SPACE}]`],
  [String.raw`\S`, `[^${SPACE}]`],
]);
const IN_CLASSES: ReadonlyMap<string, string> = new Map([
  [String.raw`\s`, SPACE],
  [String.raw`\S`, String.raw`\S${FOREIGN_SPACE}`],
]);

/** With the option m, where PCRE has no line behind the last newline. */
const OF_LINES: ReadonlyMap<string, string> = new Map([
  ['^', String.raw`(?:^|(?<=\n)(?=[^]))`],
  ['$', String.raw`(?=\n|$)`],
]);

function translate(source: string, flags: ReadonlySet<string>): string {
  return source.replaceAll(TOKENS, (token) => {
    if (token.startsWith('[')) return token.replaceAll(/\\[^-]/g, (part) => IN_CLASSES.get(part) ?? plain(part));
    if (token === '.' && flags.has('s')) return token;
    return (flags.has('m') ? OF_LINES.get(token) : undefined) ?? OUTSIDE_CLASSES.get(token) ?? plain(token);
  });
}

/** Omits a needless backslash, which JavaScript does not allow in Unicode patterns. */
function plain(token: string): string {
  return /^\\[^\dA-Za-z$()*+./?[\\\]^{|}]$/.test(token) ? token.slice(1) : token;
}

function withFlags(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, [...new Set(flags)].join(''));
  } catch {
    return undefined;
  }
}
