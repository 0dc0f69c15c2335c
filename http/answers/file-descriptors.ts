import { readdir, readFile } from 'node:fs/promises';

import type { FastifyBaseLogger } from 'fastify';

/** Minimum number of file descriptors for a busy service: each connection takes one. */
const ENOUGH_DESCRIPTORS = 1024;
/** Descriptors reserved for everything but client connections: both ends of database connections, and files. */
const SPARE_DESCRIPTORS = 256;
/** Time between two warnings of refused connections, in milliseconds. */
const WARNING_INTERVAL_MS = 60_000;

/** Advice for a system with too few file descriptors. */
export const MORE_DESCRIPTORS =
  'raise the number of files that the process may open (ulimit -n, or LimitNOFILE of systemd)';

/** Returns true if an error, or one that it wraps, means that no file or connection could be opened any more. */
export function isOutOfDescriptors(fault: unknown): boolean {
  for (let error = fault, depth = 0; error instanceof Error && depth < 8; error = error.cause, depth += 1) {
    if ('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) return true;
    if (/\b(?:EMFILE|ENFILE)\b/.test(error.message)) return true;
  }
  return false;
}

/** File descriptors of this process. */
export interface Descriptors {
  /** Maximum number of open descriptors. */
  readonly limit: number;
  /** Maximum number of client connections. */
  readonly maxConnections: number;
}

/** Reads how many file descriptors there are; null if the system does not report it. */
export async function readDescriptors(): Promise<Descriptors | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.NaN);
  if (Number.isNaN(limit)) return null;
  const open = await readdir('/proc/self/fd').catch(() => []);
  const free = limit - open.length;
  // If there are few, a request may take both ends of a connection to the database in addition to its own.
  return { limit, maxConnections: Math.max(1, Math.floor(free / 3), free - SPARE_DESCRIPTORS) };
}

/** A warning about a low limit of file descriptors; null if it is sufficient. */
export function warningOfFewDescriptors({ limit, maxConnections }: Descriptors): string | null {
  if (limit >= ENOUGH_DESCRIPTORS) return null;
  return `only ${limit} file descriptors, enough for ${maxConnections} connections: ${MORE_DESCRIPTORS}`;
}

/** Makes the callback for connections refused at the maximum: it logs their number, at most once a minute. */
export function refusedConnections(
  { limit, maxConnections }: Descriptors,
  log: FastifyBaseLogger,
  now: () => number = () => performance.now(),
): () => void {
  let refused = 0;
  let quietUntil = -Infinity;
  return () => {
    refused += 1;
    if (now() < quietUntil) return;
    const cause = `${maxConnections} are open, and ${limit} file descriptors do not allow more`;
    log.warn({ refused }, `connections rejected: ${cause}; ${MORE_DESCRIPTORS}`);
    refused = 0;
    quietUntil = now() + WARNING_INTERVAL_MS;
  };
}
