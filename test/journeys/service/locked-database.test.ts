import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { findSqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { httpsClient } from '../../clients/https-client.ts';
import { runSize } from '../../services/run-size.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { askCommand } from '../../processes/run-command.ts';
import { askWaybridge, runWaybridge, type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';

/** A client of a service with an API key; an answer has its time in milliseconds. */
async function clientOf({ settings: { DATA_DIR = '' } }: ServiceProcess, apiKey: string) {
  const ask = httpsClient(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'));
  return async ({ url }: ServiceProcess, path: string, body?: object) => {
    const from = performance.now();
    const headers = { 'service-api-key': apiKey, 'content-type': 'application/json' };
    const answer = await ask(`${url}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { ...answer, ms: performance.now() - from };
  };
}

/** Takes the lock of the file's writer, as a foreign program would, and returns what releases it; null if another has it. */
function lock(DATA_DIR: string, busyMs: number): (() => void) | null {
  const sqlite = findSqliteEngine().open(join(DATA_DIR, 'waybridge.db'));
  try {
    sqlite.exec(`PRAGMA busy_timeout = ${busyMs}`);
    sqlite.exec('BEGIN IMMEDIATE');
    return () => sqlite.close();
  } catch {
    sqlite.close();
    return null;
  }
}

const READS = ['/api/v2/account', '/api/v2/devices', '/api/v2/groups', '/wp-json/wp/v2/posts', '/healthz'];

test('while another process holds the write lock, reads and commands go on, and writes are 503 within 15 seconds', async () => {
  const DATA_DIR = await temporaryFolder();
  const service = await serveProcess({ DATA_DIR, LOG_LEVEL: 'error' }, '--no-demo');
  const { api_key: key } = await askCommand(['account', 'add', '--nickname', 'Bakery'], service.settings);
  const ask = await clientOf(service, String(key));
  const release = lock(DATA_DIR, 5000);
  try {
    const writes = ['/api/v2/groups', '/api/v2/groups'].map((path) => ask(service, path, { name: 'late' }));
    const added = runWaybridge(['account', 'add', '--nickname', 'Baker'], service.settings);
    const isOver = Promise.race(writes).then(() => 'the writes are over');
    const reads = Promise.all(READS.map(async (path) => (await ask(service, path)).status));
    expect(await Promise.race([reads, isOver])).toEqual(READS.map(() => 200));
    expect(await askWaybridge(['account', 'list'], service.settings)).toMatchObject({
      nodes: [{ nickname: 'Bakery' }],
    });
    expect((await ask(service, '/readyz')).status).toBe(503);
    for (const { status, headers, ms } of await Promise.all(writes)) {
      expect([status, headers['retry-after'], ms < 15_000]).toEqual([503, '10', true]);
    }
    expect(await added).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /locked by (process \d+ \(\w+\)|another process)\)?; wait until it has finished, or end it\n$/,
      ),
    });
    const waiting = ask(service, '/api/v2/groups', { name: 'later' }).catch(() => 'cut off');
    await ask(service, '/healthz');
    expect(await service.end()).toEqual({ code: 75, signal: null });
    expect(await waiting).toBe('cut off');
  } finally {
    release?.();
  }
});

test.runIf(runSize(false, true))(
  'beside a server that has been stopped while it writes, the other answers everything within 15 seconds',
  async () => {
    const DATA_DIR = await temporaryFolder();
    const settings = { DATA_DIR, LOG_LEVEL: 'error' };
    const [stalled, other] = await Promise.all([1, 2].map(() => serveProcess(settings, '--no-demo')));
    if (!stalled || !other) throw new Error('Two servers were started');
    try {
      const { api_key: key } = await askCommand(['account', 'add', '--nickname', 'Bakery'], settings);
      const ask = await clientOf(stalled, String(key));
      const writing = new AbortController();
      const write = () => ask(stalled, '/api/v2/groups', { name: 'stalled' }).catch(() => undefined);
      const writes = Array.from({ length: 8 }, async () => {
        while (!writing.signal.aborted) await write();
      });
      for (let free: ReturnType<typeof lock> = () => undefined; free !== null; free = lock(DATA_DIR, 0)) {
        free();
        stalled.child.kill('SIGCONT');
        await write();
        stalled.child.kill('SIGSTOP');
      }
      const [written, ...read] = await Promise.all(
        ['/api/v2/groups', ...READS].map((path, at) => ask(other, path, at === 0 ? { name: 'beside' } : undefined)),
      );
      expect(read.map(({ status, ms }) => [status, ms < 15_000])).toEqual(READS.map(() => [200, true]));
      expect([written?.status, Number(written?.ms) < 15_000]).toEqual([503, true]);
      writing.abort();
      stalled.child.kill('SIGCONT');
      await Promise.all(writes);
      expect((await ask(other, '/api/v2/groups', { name: 'after' })).status).toBe(201);
    } finally {
      await Promise.all([stalled, other].map((service) => service.end()));
    }
  },
);
