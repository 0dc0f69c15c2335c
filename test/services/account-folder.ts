import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { askCommand } from '../processes/run-command.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';

/** Output of `account add`. */
interface Added {
  readonly account: string;
  readonly owner: string;
  readonly apiKey: string;
}

let template: Promise<Added & { readonly folder: string }> | undefined;

/**
 * Makes a data folder with the account Bakery, until the test ends: a copy of one that the files of a worker share, since its
 * hundreds of indexes take a second to make.
 */
export async function accountFolder(): Promise<Added & { readonly DATA_DIR: string }> {
  template ??= makeTemplate();
  const { folder, ...added } = await template;
  const DATA_DIR = await temporaryFolder();
  await cp(folder, DATA_DIR, { recursive: true });
  return { DATA_DIR, ...added };
}

async function makeTemplate() {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-account-'));
  const { key, owner_key, api_key } = await askCommand(['account', 'add', '--nickname', 'Bakery'], {
    DATA_DIR: folder,
  });
  return { folder, account: String(key), owner: String(owner_key), apiKey: String(api_key) };
}
