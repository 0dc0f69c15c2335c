import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

import { packageVersion } from '../../http/package-file.ts';
import { httpsClient } from '../clients/https-client.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Maximum compressed bytes of the image. */
const MAX_BYTES = 250e6;
const hasDocker = ['info', 'compose version'].every((words) => spawnSync('docker', words.split(' ')).status === 0);

// It builds the image, for which the base and all packages are fetched unless they are there.
test.skipIf(!hasDocker)(
  'the service of compose.yaml keeps its data when it is killed, and ends in order (skipped without Docker)',
  { timeout: 1_800_000 },
  async () => {
    const compose = await composeProject();
    const waybridge = (...args: string[]) => compose('exec', '--no-TTY', 'waybridge', 'waybridge', ...args);
    await compose('up', '--build', '--detach', '--wait');
    await waybridge('account', 'add', '--nickname', 'Corner bakery');
    await compose('kill');
    await compose('up', '--detach', '--wait');
    expect(await waybridge('account', 'list')).toContain('Corner bakery');
    expect(await waybridge('doctor')).toContain('problems 0');
    await waybridge('backup', '/backups/before-upgrade.db');
    const client = httpsClient(await compose('exec', '--no-TTY', 'waybridge', 'cat', '/data/tls/ca.pem'));
    const [, port] = (await compose('port', 'waybridge', '8443')).trim().split(':');
    expect((await client(`https://localhost:${port}/readyz`)).status).toBe(200);
    await compose('stop');
    expect(JSON.parse(await compose('ps', '--all', '--format', 'json'))).toMatchObject({
      State: 'exited',
      ExitCode: 0,
    });
    const { stdout } = await run('bash', ['-c', `docker save waybridge:${packageVersion()} | gzip | wc -c`]);
    expect(Number(stdout)).toBeLessThan(MAX_BYTES);
  },
);

/** Commands of Docker Compose for a project of its own, with the service on a free port; it is removed when the test ends. */
async function composeProject(): Promise<(...args: string[]) => Promise<string>> {
  const file = join(await temporaryFolder(), 'compose.yaml');
  const text = await readFile(join(ROOT, 'compose.yaml'), 'utf8');
  await writeFile(file, text.replace('127.0.0.1:8443:', '127.0.0.1::'));
  const env = { ...process.env, COMPOSE_PROJECT_NAME: `waybridge-${process.pid}`, COMPOSE_FILE: file };
  const options = { env, maxBuffer: 2 ** 26 };
  const compose = async (...args: string[]) =>
    (await run('docker', ['compose', '--project-directory', ROOT, ...args], options)).stdout;
  onTestFinished(async () => void (await compose('down', '--volumes')));
  return compose;
}
