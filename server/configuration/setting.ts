import { hasPlainHost } from '../../schema/plain-host.ts';

/** One environment variable: a row of the table in `config.ts`, which `serve --help` and the README print. */
export interface Setting<T> {
  /** The variable's name, such as `PORT`. */
  readonly name: string;
  /** Value when it is absent or empty; `$PORT` in it is replaced by the port; null for none. */
  readonly fallback: string | null;
  /** One sentence, without a period, for `serve --help`. */
  readonly help: string;
  /** Completes "PORT must be …". */
  readonly expected: string;
  /** The value that the text means; undefined when it means none. */
  readonly parse: (text: string) => T | undefined;
}

/** A setting that cannot be used. Its message names the variable and says what is expected, and never shows the value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Text as it is. */
export function text(value: string): string {
  return value;
}

/** Text that has the given form. */
export function matching(form: RegExp): (value: string) => string | undefined {
  return (value) => (form.test(value) ? value : undefined);
}

/** One of a list of words. */
export function oneOf<T extends string>(words: readonly T[]): (value: string) => T | undefined {
  return (value) => words.find((word) => word === value);
}

/** A whole number from 1 to 999,999,999, without signs and separators. */
export function count(value: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
}

/** A TCP port; 0 asks for a free one. */
export function port(value: string): number | undefined {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined;
}

/** A number of days, of at most ten years. */
export function days(value: string): number | undefined {
  return /^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= 3650 ? Number(value) : undefined;
}

/**
 * An address that others build upon: https, with a plain host, without credentials, query and fragment, and with a path that the router
 * takes as it is: `*` and `:` would be patterns to it, and what is percent-encoded it compares decoded. It is answered
 * without a trailing slash, so that a path can be appended.
 */
export function httpsAddress(value: string): string | undefined {
  const url = hasPlainHost(value) ? new URL(value) : undefined;
  const plain = url?.protocol === 'https:' && !/[@?#\s]/.test(value) && !/[*:%]/.test(url.pathname);
  return plain ? url.href.replace(/\/+$/, '') : undefined;
}
