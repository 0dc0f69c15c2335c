import { MORE_DESCRIPTORS } from '../../http/answers/file-descriptors.ts';

const SPACE = 'free some space on its disk';
const PERMISSION = 'let the user of the service write the file and its folder, or mount the disk for writing';

/** Advice for failures of the embedded database, by code (see `embedded/storage/file-errors.ts`) or that of the system. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: PERMISSION,
  EPERM: PERMISSION,
  EROFS: PERMISSION,
  38: `check that DATA_DIR is writable, and ${MORE_DESCRIPTORS}`,
  39: 'look for errors of the disk in the log of the system; "waybridge check" reads the whole file',
  46: 'wait until it has finished, or end it',
  366: '"waybridge check" lists the damage, and "waybridge restore" restores a backup; keep a copy of the file before',
  14031: SPACE,
  ENOSPC: SPACE,
  EDQUOT: SPACE,
  EMFILE: MORE_DESCRIPTORS,
  ENFILE: MORE_DESCRIPTORS,
};

/** Returns advice for a failure whose code says what is wrong with the database file; null for others. */
export function knownAdvice(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null;
  return /read-only/.test(error.message) ? PERMISSION : (ADVICE[String(error.code)] ?? null);
}

/** Returns advice for a database file that cannot be opened. */
export function adviceOnFile(error: unknown): string {
  const known = knownAdvice(error);
  if (known !== null) return known;
  const reason = error instanceof Error ? error.message : '';
  if (/EMFILE|ENFILE/.test(reason)) return MORE_DESCRIPTORS;
  // Without descriptors, the thread of the database does not accept our connections.
  return `check that DATA_DIR is writable${/EPIPE|ECONNRESET/.test(reason) ? `, and ${MORE_DESCRIPTORS}` : ''}`;
}
