import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { readDescriptors, warningOfFewDescriptors } from '../../http/answers/file-descriptors.ts';

import type { Config } from '../../server/configuration/config.ts';
import { backupsIn } from '../../server/service/scheduled-backups.ts';
import { type Finding, problem, sound, warning } from './finding.ts';

const GIB = 2 ** 30;
/** Free space below which a disk is about to be full, as bytes and as a share. */
const LITTLE_BYTES = GIB;
const LITTLE_SHARE = 0.05;
const HOUR_MS = 3_600_000;

/** Looks at the folders in which the service writes: their permissions and the space that they have. */
export async function diskFindings({ dataDir, backupDir }: Config): Promise<readonly Finding[]> {
  const folders = [['DATA_DIR', dataDir], ...(backupDir === null ? [] : [['BACKUP_DIR', backupDir]])] as const;
  return Promise.all(folders.map(([name, folder]) => diskFinding(String(name), String(folder))));
}

async function diskFinding(name: string, folder: string): Promise<Finding> {
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT')
      return sound('disk', `${name} (${folder}) does not exist yet: it is created when it is needed`);
    return problem(
      'disk',
      `${name} (${folder}) cannot be written (${code})`,
      'Let the user that runs the service write to it.',
    );
  }
  const { bavail, blocks, bsize } = await statfs(folder);
  const free = `${name} (${folder}) has ${((bavail * bsize) / GIB).toFixed(1)} GiB free`;
  const isLittle = bavail * bsize < LITTLE_BYTES || bavail / blocks < LITTLE_SHARE;
  return isLittle ? warning('disk', free, 'Free some space, or move the folder.') : sound('disk', free);
}

/**
 * Looks at the age of the newest scheduled backup.
 * @param now milliseconds since 1970
 */
export async function backupFindings({ backupDir, backupEvery }: Config, now: number): Promise<readonly Finding[]> {
  if (backupDir === null) return [];
  const newest = (await backupsIn(backupDir).catch(() => [])).at(-1);
  const advice = 'Look for "backup" in the log of the service.';
  if (newest === undefined) return [warning('backups', `there is no backup in ${backupDir} yet`, advice)];
  const hours = Math.floor((now - (await stat(join(backupDir, newest))).mtimeMs) / HOUR_MS);
  const detail = `the newest is ${hours} hours old`;
  return [hours > 2 * backupEvery ? problem('backups', detail, advice) : sound('backups', detail)];
}

/** Looks at the number of files and connections that may be open. */
export async function descriptorFindings(): Promise<readonly Finding[]> {
  const descriptors = await readDescriptors();
  if (descriptors === null) return [];
  const few = warningOfFewDescriptors(descriptors);
  if (few === null) return [sound('descriptors', `room for ${descriptors.maxConnections} connections`)];
  const [detail = '', advice = ''] = few.split(': ');
  return [warning('descriptors', detail, `${advice[0]?.toUpperCase()}${advice.slice(1)}.`)];
}
