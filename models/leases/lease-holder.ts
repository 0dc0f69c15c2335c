import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

import { newKey } from '../key.ts';

/** Scope of process ids: a machine since its start, or a container on it. */
const PLACE = placeOfProcesses();
/** This process: its id alone may have been another's, as in a container that was started again. */
const SELF = `${PLACE}|${process.pid}|${newKey()}`;

/** Names a new holder of a lease so that others on the same machine can find out that its process has ended. */
export function newHolder(): string {
  return `${SELF}|${newKey()}`;
}

/** Returns true if the process of a holder is known to have ended; false if that is unknown. */
export function isHolderDead(holder: string): boolean {
  const [place, pid] = holder.split('|');
  if (place !== PLACE || holder.startsWith(`${SELF}|`)) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function placeOfProcesses(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
