import { readFile } from 'node:fs/promises';

/** Fewer file descriptors than this do not carry a busy service: each connection takes one. */
const ENOUGH_DESCRIPTORS = 1024;

/** What to do about too few of them. */
export const MORE_DESCRIPTORS =
  'raise the number of files that the process may open (ulimit -n, or LimitNOFILE of systemd)';

/** Tells whether an error, or one that it wraps, means that no file or connection could be opened any more. */
export function isOutOfDescriptors(fault: unknown): boolean {
  for (let error = fault, depth = 0; error instanceof Error && depth < 8; error = error.cause, depth += 1) {
    if ('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) return true;
    if (/\b(?:EMFILE|ENFILE)\b/.test(error.message)) return true;
  }
  return false;
}

/** A sentence about the limit of file descriptors where it is small; null where it is not, or is not known. */
export async function warningOfFewDescriptors(): Promise<string | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = /^Max open files +(\d+)/m.exec(limits)?.[1];
  if (limit === undefined || Number(limit) >= ENOUGH_DESCRIPTORS) return null;
  return `only ${limit} file descriptors: ${MORE_DESCRIPTORS}`;
}
