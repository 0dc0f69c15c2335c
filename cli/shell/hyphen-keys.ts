import type { Option } from 'commander';

/** A key that begins with a hyphen: base64url of 128 bits, or of the 256 of a grant. */
const HYPHEN_KEY = /^-(?:[\w-]{21}|[\w-]{42})$/;

/** Words of a call, of which none that is an argument looks like an option. */
export interface SeparatedWords {
  /** Keys that are arguments of the command. */
  readonly keys: string[];
  readonly words: string[];
}

/** Takes keys that begin with a hyphen for what they are: values of options, or arguments of the command. */
export function separateHyphenKeys(args: readonly string[], options: readonly Option[]): SeparatedWords {
  const separated: SeparatedWords = { keys: [], words: [] };
  let open: Option | undefined;
  let isFirst = false;
  for (const word of args) {
    const option = options.find(({ long }) => long === word);
    const isKey = option === undefined && HYPHEN_KEY.test(word);
    if (!isKey || (open && isFirst)) separated.words.push(word);
    else if (open) separated.words.push(open.long ?? '', word);
    else separated.keys.push(word);
    if (option) open = option.required ? option : undefined;
    else if (!open?.variadic) open = undefined;
    isFirst = option !== undefined;
  }
  return separated;
}
