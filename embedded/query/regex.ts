import { MongoError, unsupported } from '../mongo-error.ts';

/** Prepares a pattern of MongoDB's (PCRE); refuses what JavaScript's engine reads differently. */
export function compileRegex(pattern: string, options: string): RegExp {
  const flags = new Set(options);
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  for (const flag of inline?.[1] ?? '') flags.add(flag);
  if (flags.delete('x')) throw unsupported('Regular expression option x');
  for (const flag of flags)
    if (!'imsu'.includes(flag)) throw new MongoError('BadValue', `invalid flag in regex options: ${flag}`);
  const source = pattern.slice(inline?.[0].length ?? 0);
  if (isForeign(source)) throw unsupported(`Regular expression ${pattern}`);
  const translated = translate(source, flags);
  const letters = [...flags].join('');
  return withFlags(translated, `${letters}u`) ?? withFlags(translated, letters) ?? invalid(pattern);
}

/** An escape, a class or a character that the two engines may read differently. */
const TOKENS = /\\.?|\[\^?\]?(?:\\.|[^\]\\])*\]|[.$]/gs;

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

/** In PCRE a dot is anything but a newline, and the end may be before a last newline. */
function translate(source: string, flags: ReadonlySet<string>): string {
  return source.replaceAll(TOKENS, (token) => {
    if (token === '.' && !flags.has('s')) return '[^\\n]';
    return token === '$' && !flags.has('m') ? '(?=\\n?$)' : token;
  });
}

function withFlags(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, [...new Set(flags)].join(''));
  } catch {
    return undefined;
  }
}

function invalid(pattern: string): never {
  throw new MongoError('Location51091', `Regular expression is invalid: ${pattern}`);
}
