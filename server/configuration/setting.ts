import { parsePlainUrl } from '../../schema/plain-url.ts';

/** The form that the text of a setting must have. */
export interface Form<T> {
  /** Completes "PORT must be …". */
  readonly expected: string;
  /** The value that a text stands for; undefined if it has another form. */
  readonly parse: (text: string) => T | undefined;
}

/** One environment variable: a row of the table in `config.ts`, which `serve --help` and `docs/settings.md` print. */
export interface Setting<T> extends Form<T> {
  /** The variable's name, such as `PORT`. */
  readonly name: string;
  /** Value when it is absent or empty; `$PORT` in it is replaced by the port; null if there is none. */
  readonly fallback: string | null;
  /** One sentence, without a period, for `serve --help`. */
  readonly help: string;
  /** True for a value that must not appear in process lists: it has no option, and can be in a file, see `given-setting.ts`. */
  readonly isSecret: boolean;
  /** True for one whose option has no value, and stands for `true`. */
  readonly isFlag?: boolean;
}

/** Text that matches a pattern. */
export function matching(expected: string, pattern: RegExp): Form<string> {
  return { expected, parse: (text) => (pattern.test(text) ? text : undefined) };
}

/** One of a list of words. */
export function oneOf<T extends string>(expected: string, words: readonly T[]): Form<T> {
  return { expected, parse: (text) => words.find((word) => word === text) };
}

/** A whole number within limits, of at most nine digits, without signs and separators. */
export function wholeNumber(noun: string, least: number, most: number): Form<number> {
  const isWithin = (value: number) => value >= least && value <= most;
  return {
    expected: `${noun} from ${least} to ${most}`,
    parse: (text) => (/^\d{1,9}$/.test(text) && isWithin(Number(text)) ? Number(text) : undefined),
  };
}

/** An address to which parameters are added. */
export const REQUEST_ADDRESS: Form<string> = {
  expected:
    'an http or https address without credentials and fragment, such as https://nominatim.example.com/reverse?format=geocodejson',
  parse: (text) => {
    const url = parsePlainUrl(text);
    return url !== null && /^https?:$/.test(url.protocol) && !/[@#]/.test(text) ? url.href : undefined;
  },
};

/**
 * A base address: https, with a plain host, and a path that the router takes literally. In the router `*`
 * and `:` would be patterns, and it compares decoded characters. The value has no trailing slash.
 */
export const HTTPS_ADDRESS: Form<string> = {
  expected:
    'an https address without credentials, query, fragment and the characters * : % in its path, such as https://example.com/api/v2',
  parse: (text) => {
    const url = parsePlainUrl(text);
    const isPlain = url?.protocol === 'https:' && !/[@?#\s]/.test(text) && !/[*:%]/.test(url.pathname);
    return isPlain ? url.href.replace(/\/+$/, '') : undefined;
  },
};
