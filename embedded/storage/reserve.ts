import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';

/** Bytes that SQLite needs to open a file: for the index that processes share, and the beginning of the log. */
const RESERVE_BYTES = 131_072;

/** Keeps some bytes of the disk beside a database, so that it can be opened, and read, when the disk is full. */
export function keepReserve(file: string): void {
  const reserve = reserveOf(file);
  if (existsSync(reserve)) return;
  try {
    const descriptor = openSync(reserve, 'wx', 0o600);
    try {
      writeSync(descriptor, Buffer.alloc(RESERVE_BYTES));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Half of it would be no help.
    rmSync(reserve, { force: true });
  }
}

/** Frees the bytes of {@link keepReserve}; returns false if there were none. */
export function freeReserve(file: string): boolean {
  const hasReserve = existsSync(reserveOf(file));
  rmSync(reserveOf(file), { force: true });
  return hasReserve;
}

function reserveOf(file: string): string {
  return `${file}-reserve`;
}
