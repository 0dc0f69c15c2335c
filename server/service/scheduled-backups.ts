import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyBaseLogger } from 'fastify';
import { Gauge, Registry } from 'prom-client';

import { newKey } from '../../models/key.ts';
import type { Lease } from '../../models/leases/lease.ts';

import type { Config } from '../configuration/config.ts';
import { databaseFile } from '../database/data-folder.ts';
import type { Closable } from '../start/shutdown.ts';
import { repeat } from './housekeeping.ts';

/** Interval at which the service looks whether a backup is due, in milliseconds. */
const LOOK_MS = 5 * 60_000;
/** Time until a backup that failed is tried again, in milliseconds: it reads and writes the whole database. */
const RETRY_MS = 3_600_000;
/** Time after which a backup that does not grow counts as abandoned by a killed process, in milliseconds. */
const ABANDONED_MS = 10 * 60_000;
const NAME = /^waybridge-[\d-]{10}T\d{6}Z\.db$/;
/** File name suffix of a backup that is being written: no two processes write the same file. */
const PART = '.part';

/** Settings of scheduled backups. */
export type BackupSchedule = Pick<Config, 'dataDir' | 'backupEvery' | 'backupKeep'> & { readonly backupDir: string };

/** Scheduled backups of a service, and their metric. */
export interface ScheduledBackups {
  readonly metrics: readonly Registry[];
  /** Starts the work of the process with the lease. */
  start(lease: Lease): readonly Closable[];
}

/** Makes the scheduled backups of a service; without `BACKUP_DIR` there are none. */
export function scheduledBackups({ backupDir, ...rest }: Config, log: FastifyBaseLogger): ScheduledBackups {
  if (backupDir === null) return { metrics: [], start: () => [] };
  let restsUntil = 0;
  const work = async (signal: AbortSignal) => {
    if (performance.now() < restsUntil) return;
    const file = await backUpIfDue({ backupDir, ...rest }, Date.now(), signal);
    if (file !== null) log.info({ file }, 'backup');
  };
  const logged = (err: unknown) => {
    restsUntil = performance.now() + RETRY_MS;
    log.error({ err }, 'backup');
  };
  return {
    metrics: [backupMetrics(backupDir)],
    start: (lease) => [
      repeat('backups', LOOK_MS, (signal) => work(signal).catch(logged), { isImmediate: true, lease }),
    ],
  };
}

/**
 * Copies the embedded database to a file named by the beginning of the current period (UTC), unless it exists or
 * another process is writing it, and removes the oldest of these files. A copy has its name once it has been checked.
 *
 * @returns the file; null if none was due
 */
export async function backUpIfDue(schedule: BackupSchedule, now: number, signal: AbortSignal): Promise<string | null> {
  const { dataDir, backupDir, backupEvery, backupKeep } = schedule;
  const begin = new Date(now - (now % (backupEvery * 3_600_000)));
  const name = `waybridge-${begin.toISOString().slice(0, 19).replaceAll(':', '')}Z.db`;
  const part = join(backupDir, `${name}.${newKey()}${PART}`);
  await mkdir(backupDir, { recursive: true, mode: 0o700 });
  await removeAbandoned(backupDir, now);
  const files = await readdir(backupDir);
  if (files.some((file) => file === name || (file.startsWith(name) && file.endsWith(PART)))) return null;
  try {
    const { backupInProcess } = await import('../../embedded/backup.ts');
    await backupInProcess(databaseFile(dataDir), part, signal);
    await rename(part, join(backupDir, name));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  const old = (await backupsIn(backupDir)).slice(0, -backupKeep);
  await Promise.all(old.map((file) => rm(join(backupDir, file), { force: true })));
  return join(backupDir, name);
}

/** Names of the scheduled backups in a folder, the newest last. */
export async function backupsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => NAME.test(file)).sort();
}

async function removeAbandoned(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (!NAME.test(name.replace(/\.db\..*$/, '.db')) || !name.endsWith(PART)) continue;
    if (now - (await stat(file)).mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}

function backupMetrics(folder: string): Registry {
  const registry = new Registry();
  const times = [
    ['waybridge_backup_timestamp_seconds', 'was written', 'mtimeMs'],
    // It has been renamed then.
    ['waybridge_backup_verified_timestamp_seconds', 'had passed its check', 'ctimeMs'],
  ] as const;
  for (const [name, what, time] of times) {
    new Gauge({
      name,
      help: `Time at which the newest scheduled backup ${what}; 0 if there is none`,
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const newest = (await backupsIn(folder).catch(() => [])).at(-1);
        this.set(newest === undefined ? 0 : (await stat(join(folder, newest)))[time] / 1000);
      },
    });
  }
  return registry;
}
