import { once } from 'node:events';
import { connect } from 'node:net';

import mongoose from 'mongoose';
import { expect, onTestFinished, test, vi } from 'vitest';

import { banner } from '../../../server/service/banner.ts';
import { type RunningService, serve } from '../../../server/service/serve.ts';
import { freePort } from '../../../server/start/free-port.ts';
import { COMPONENT_NAMES } from '../../../pages/site/component-names.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

const failure = vi.hoisted(() => ({ code: 'ENOENT' }));

vi.mock(import('../../../http/package-file.ts'), async (original) => {
  const { readPackageFile, ...rest } = await original();
  const read: typeof readPackageFile = async (path) =>
    path === `dist/${COMPONENT_NAMES.maplibre}`
      ? Promise.reject(Object.assign(new Error('unreadable'), failure))
      : readPackageFile(path);
  return { ...rest, readPackageFile: read };
});

test('a component that has not been built is said in the banner, and the service answers', async () => {
  failure.code = 'ENOENT';
  const service = await start(0);
  onTestFinished(async () => void (await service.stop()));
  expect(service.notes).toEqual([expect.stringMatching(/^dist\/.* is missing, .* run npm run build/)]);
  expect(banner(service, null)).toContain(service.notes[0]);
  expect(await isTaken(service.config.port)).toBe(true);
});

test('a start that fails leaves neither a listener nor a database', async () => {
  failure.code = 'EACCES';
  const port = await freePort('127.0.0.1', 0);
  await expect(start(port)).rejects.toThrow('unreadable');
  expect(await isTaken(port)).toBe(false);
  const { disconnected } = mongoose.ConnectionStates;
  expect(mongoose.connections.filter(({ readyState }) => readyState !== disconnected)).toEqual([]);
});

async function start(port: number): Promise<RunningService> {
  const env = { DATA_DIR: await temporaryFolder(), PORT: String(port), LOG_LEVEL: 'silent' };
  return serve({ env, demo: 'refused' });
}

async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
