import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A checkout of a commit that was built beside the tree. */
export interface BuiltCommit {
  readonly commit: string;
  readonly root: string;
  /** Removes the checkout. */
  remove(): Promise<void>;
}

/** Written into a checkout when it is built. */
const BUILT_FILE = 'build/.compared';

/**
 * Checks a commit out below a folder and builds server and component there. The dependencies of the tree are shared by a
 * link where both have the same lock file, and installed otherwise. A checkout that is there already is used again.
 *
 * @throws Error with what git, npm or the compiler said
 */
export async function buildCommit(
  tree: string,
  wanted: string,
  folder: string,
  say: (line: string) => void,
): Promise<BuiltCommit> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: tree })).stdout.trim();
  const commit = await git('rev-parse', '--short=10', '--verify', `${wanted}^{commit}`);
  const root = join(folder, `commit-${commit}`);
  const remove = async () => void (await git('worktree', 'remove', '--force', root));
  if (existsSync(join(root, BUILT_FILE))) return { commit, root, remove };
  await git('worktree', 'add', '--detach', '--force', root, commit);
  try {
    const lock = (folder: string) => readFile(join(folder, 'package-lock.json'), 'utf8');
    if ((await lock(root)) === (await lock(tree))) {
      await symlink(join(tree, 'node_modules'), join(root, 'node_modules'));
    } else {
      say(`installing the dependencies of ${commit}, which has another package-lock.json`);
      await npm(root, 'ci', '--ignore-scripts');
    }
    say(`building ${commit}`);
    await npm(root, 'run', 'build');
    await writeFile(join(root, BUILT_FILE), '');
  } catch (error) {
    await remove();
    throw error;
  }
  return { commit, root, remove };
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  try {
    await run('npm', [...args], { cwd, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`, { cause: error });
  }
}
