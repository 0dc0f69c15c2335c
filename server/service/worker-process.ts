import { EventEmitter, once } from 'node:events';

import type { DestinationStream } from 'pino';

import { createLog } from '../../http/observing/logs.ts';
import type { ProcessMetrics } from '../../http/observing/metrics.ts';
import { leasedWorkEnded } from '../../tracking/recording/device-lease.ts';

import { endOnSignals } from '../start/end-on-signals.ts';
import { sentenceOf } from '../start/report-failure.ts';
import { readConfig } from '../configuration/config.ts';
import { databaseMetrics } from '../database/database-metrics.ts';
import { openDatabase } from '../database/database.ts';
import { PortInUseError } from '../start/free-port.ts';
import { createShutdown } from '../start/shutdown.ts';
import { tlsCertificate } from '../start/tls-certificate.ts';
import { prepareAnswering } from './answering.ts';
import { serviceMetrics } from './service-metrics.ts';
import {
  type PrimaryMessage,
  WORKER_VARIABLE,
  type WorkerInput,
  type WorkerMessage,
} from './workers/worker-messages.ts';

/** Time in which the primary process gathers the metrics of all others, in milliseconds. */
const GATHER_WITHIN_MS = 5000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the input of a worker; null in another process. */
export function workerInput(env: Environment): WorkerInput | null {
  const text = env[WORKER_VARIABLE];
  return text === undefined || process.send === undefined ? null : JSON.parse(text);
}

/**
 * Answers requests as one of several processes, until the primary process tells it to stop, or is gone. A failure of its start
 * is reported to the primary process.
 */
export async function runWorker(input: WorkerInput, env: Environment, logTo?: DestinationStream): Promise<void> {
  try {
    await work(input, env, logTo);
  } catch (error) {
    const isPortInUse = error instanceof PortInUseError;
    await send({ kind: 'failed', message: sentenceOf(error), isPortInUse });
    process.exit(1);
  }
}

async function work(input: WorkerInput, env: Environment, logTo?: DestinationStream): Promise<void> {
  const config = readConfig(env);
  const log = createLog(config.logLevel, logTo, { worker: input.number });
  const database = await openDatabase(config, false, {
    migrations: 'ignore',
    embeddedAt: input.database,
    answers: true,
  });
  const measured = serviceMetrics(database.service);
  const inbox = new EventEmitter();
  // Messages without a kind are those of the rate limits.
  process.on('message', (message: PrimaryMessage | { readonly kind?: undefined }) => {
    inbox.emit(message.kind === 'gathered' ? `gathered ${message.id}` : String(message.kind), message);
  });
  const answering = await prepareAnswering(database.service, {
    config,
    log,
    certificate: await tlsCertificate(config),
    database,
    hasDemo: input.hasDemo,
    isDemoDriven: input.isDemoDriven,
    isWorker: true,
    metrics: [measured.metrics, databaseMetrics(database.service)],
    gathered: (own) => gatherAll(inbox, own),
  });
  const mayListen = once(inbox, 'listen');
  await send({ kind: 'prepared' });
  await mayListen;
  const parts = await answering.listen();
  const rest = [
    { name: 'work after answers', close: () => leasedWorkEnded(database.service) },
    measured,
    { name: 'database', close: () => database.close() },
  ];
  inbox.on('stop', endOnSignals(createShutdown([...parts, ...rest], log)));
  inbox.on('renew-certificate', answering.renewCertificate);
  // On a terminal, SIGHUP means that the terminal was closed.
  if (!process.stdout.isTTY) process.on('SIGHUP', answering.renewCertificate);
  await send({ kind: 'serving' });
}

/** Makes the function that gathers the metrics of all processes, to which this one contributes its own. */
function gatherAll(inbox: EventEmitter, own: () => Promise<ProcessMetrics>): () => Promise<string> {
  inbox.on('measure', async ({ id }: { readonly id: number }) => send({ kind: 'measured', id, metrics: await own() }));
  let lastId = 0;
  return async () => {
    const id = ++lastId;
    const signal = AbortSignal.timeout(GATHER_WITHIN_MS);
    const arrival = once(inbox, `gathered ${id}`, { signal });
    await send({ kind: 'gather', id });
    const [{ text }] = await arrival;
    return text;
  };
}

async function send(message: WorkerMessage): Promise<void> {
  // This process ends if the primary process is gone.
  await new Promise((settle) => process.send?.(message, undefined, undefined, settle));
}
