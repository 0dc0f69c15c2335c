import { InvalidArgumentError } from 'commander';

/** Reads a whole number of at most nine digits. */
export function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Reads a regular expression. */
export function regex(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new InvalidArgumentError('It must be a regular expression.');
  }
}
