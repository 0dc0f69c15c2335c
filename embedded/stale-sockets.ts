import { once } from 'node:events';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The name of the socket in its folder. */
export const SOCKET = 'db.sock';

/** Beginning of the name of the folder with the socket of a process. */
export function socketFolderPrefix(pid: number): string {
  return join(tmpdir(), `waybridge-db-${pid}-`);
}

/** Removes this user's socket folders of processes that were killed: their process has ended, and nothing listens there. */
export async function removeStaleSockets(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^waybridge-db-(\d+)-/.exec(name) ?? [];
    const folder = join(tmpdir(), name);
    if (pid !== undefined && !isAlive(Number(pid)) && isOwn(folder) && (await isRejected(join(folder, SOCKET)))) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
}

function isOwn(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

/** Returns true if nothing listens on a socket: containers that share the temporary folder do not see each other's processes. */
async function isRejected(path: string): Promise<boolean> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return ['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
  } finally {
    socket.destroy();
  }
}
