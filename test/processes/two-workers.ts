import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { type HttpsClient, httpsClient } from '../clients/https-client.ts';
import { type ServiceProcess, type Settings, serveProcess } from './waybridge-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A log line of a service. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A service of two workers. */
export interface TwoWorkers {
  readonly service: ServiceProcess;
  /** Log lines so far. */
  readonly lines: readonly LogLine[];
  /** A client whose requests each come by another connection. */
  readonly client: HttpsClient;
  /** Makes two clients that keep to a connection each, to the one worker and to the other. */
  clients(): Promise<readonly [HttpsClient, HttpsClient]>;
  /** Process ids of the workers. */
  workers(): readonly number[];
}

/** Starts a service of two workers, which is killed at the end of the test. */
export async function twoWorkers(settings: Settings = {}): Promise<TwoWorkers> {
  const DATA_DIR = settings.DATA_DIR ?? (await temporaryFolder());
  const service = await serveProcess({ DATA_DIR, ...settings }, '--no-demo', '--workers', '2');
  onTestFinished(async () => {
    await service.end('SIGKILL');
  });
  const lines: LogLine[] = [];
  let rest = '';
  service.child.stderr.on('data', (chunk) => {
    const texts = (rest + String(chunk)).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) if (text.startsWith('{')) lines.push(JSON.parse(text));
  });
  const ca = await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8');
  /** Finds out by the log which worker answers a connection. */
  const workerOf = async (client: HttpsClient): Promise<unknown> => {
    const { headers } = await client(`${service.url}/nowhere`);
    const isMine = ({ requestId }: LogLine) => requestId === headers['x-request-id'];
    await expect.poll(() => lines.some(isMine)).toBe(true);
    return lines.find(isMine)?.worker;
  };
  return {
    service,
    lines,
    client: httpsClient(ca),
    clients: async () => {
      const byWorker = new Map<unknown, HttpsClient>();
      while (byWorker.size < 2) {
        const client = httpsClient(ca, { keepAlive: true });
        byWorker.set(await workerOf(client), client);
      }
      const [first, second] = [byWorker.get(1), byWorker.get(2)];
      if (!first || !second) throw new Error('The workers have other numbers than 1 and 2');
      return [first, second];
    },
    workers: () => {
      const { pid } = service.child;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
      return children.trim().split(' ').filter(Boolean).map(Number);
    },
  };
}
