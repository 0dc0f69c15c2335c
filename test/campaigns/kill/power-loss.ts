import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';

import type { Random } from '../../../server/demo/random.ts';

/** Sizes of the headers of SQLite's log and of its frames, in bytes. Source: SQLite, "Database File Format", 4.1. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/** Places in the index of the log that processes share. Source: SQLite, "WAL-mode File Format", 2.1. */
const AT = { pageSize: 14, frames: 16, checkpointed: 96 } as const;

/**
 * Leaves of the file of an embedded database, which no process has open, as little as a power loss may leave. SQLite counts a
 * frame in its index once it has been synchronized, so frames that are not counted become garbage, and the index is gone. Pages
 * that a checkpoint has yet to synchronize become garbage in the file: the log must restore them.
 */
export function losePower(file: string, random: Random): void {
  const index = readFileSync(`${file}-shm`);
  const wide = index.readUInt16LE(AT.pageSize);
  const pageSize = wide === 1 ? 65_536 : wide;
  const frameSize = FRAME_HEADER + pageSize;
  const frames = index.readUInt32LE(AT.frames);
  const garbage = Buffer.from(Array.from({ length: pageSize }, () => Math.floor(random.next() * 256)));
  const log = openSync(`${file}-wal`, 'r+');
  const pages = openSync(file, 'r+');
  try {
    const { size } = fstatSync(pages);
    for (let frame = index.readUInt32LE(AT.checkpointed); frame < frames; frame++) {
      const header = Buffer.alloc(FRAME_HEADER);
      readSync(log, header, 0, FRAME_HEADER, LOG_HEADER + frame * frameSize);
      const at = (header.readUInt32BE(0) - 1) * pageSize;
      if (at < size) writeSync(pages, garbage, 0, pageSize, at);
    }
    const end = LOG_HEADER + frames * frameSize;
    const lost = Math.max(0, fstatSync(log).size - end);
    ftruncateSync(log, end);
    for (let left = Math.floor(random.between(0, lost)), at = end; left > 0; left -= pageSize, at += pageSize)
      writeSync(log, garbage, 0, Math.min(pageSize, left), at);
  } finally {
    closeSync(log);
    closeSync(pages);
  }
  rmSync(`${file}-shm`);
}
