import { MongoError, unsupported } from '../mongo-error.ts';

/** Prepares a pattern of MongoDB's (PCRE); refuses what JavaScript's engine reads differently. */
export function compileRegex(pattern: string, options: string): RegExp {
  let source = pattern;
  const flags = new Set(options);
  const inline = /^\(\?([ims]+)\)/.exec(source);
  for (const flag of inline?.[1] ?? '') flags.add(flag);
  source = source.slice(inline?.[0].length ?? 0);
  if (flags.delete('x')) throw unsupported('Regular expression option x');
  if (/\(\?[+#>|(R]|\\[AzZGKQRhX]|\[\[:|[*+?}]\+/.test(source)) throw unsupported(`Regular expression ${pattern}`);
  for (const flag of flags)
    if (!'imsu'.includes(flag)) throw new MongoError('BadValue', `invalid flag in regex options: ${flag}`);
  return withFlags(source, `${[...flags].join('')}u`) ?? withFlags(source, [...flags].join('')) ?? invalid(pattern);
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
