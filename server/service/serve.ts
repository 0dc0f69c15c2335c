import type { FastifyBaseLogger } from 'fastify';
import type { DestinationStream } from 'pino';
import type { Registry } from 'prom-client';

import { createLog } from '../../http/observing/logs.ts';
import { leasedWorkEnded } from '../../tracking/recording/device-lease.ts';

import { type Config, readConfig } from '../configuration/config.ts';
import type { StartError } from '../configuration/start-error.ts';
import type { Database } from '../database/database.ts';
import { databaseMetrics } from '../database/database-metrics.ts';
import { demoFile, type DemoKeys, readDemoKeys } from '../demo/demo-keys.ts';
import type { Demo, DemoOption } from '../demo/ensure-demo.ts';
import { readBuilt } from '../../pages/component/component-file.ts';
import { componentName } from '../../pages/site/component-names.ts';
import { issueSetupLink } from '../../resolvers/account/setup-link.ts';
import { freePort, PortInUseError } from '../start/free-port.ts';
import { type Closable, createShutdown } from '../start/shutdown.ts';
import { prepareAnswering } from './answering.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import { startHousekeeping, startWatching } from './housekeeping.ts';
import { completeWork, type Prepared, prepare } from './prepare.ts';
import { scheduledBackups } from './scheduled-backups.ts';
import { serviceMetrics } from './service-metrics.ts';
import { runUnderLease } from './under-lease.ts';
import type { Service } from '../../models/store/service.ts';

/** Options of a start besides the settings. */
export interface ServeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Choice of a demonstration: on an empty embedded database by default. */
  readonly demo: DemoOption;
  /** Destination of log lines; standard error by default. */
  readonly logTo?: DestinationStream;
  /** Called with the share of a new demonstration that is written, from 0 to 1. */
  readonly onDemoProgress?: (share: number) => void;
}

/** A running service. */
export interface RunningService {
  /** Its settings, with the port that it listens on. */
  readonly config: Config;
  readonly database: Pick<Database, 'description' | 'service'>;
  /** The file of the local authority that clients must trust; null with another certificate. */
  readonly caFile: string | null;
  readonly demo: DemoKeys | null;
  readonly demoFile: string;
  /** Resolves when the demonstration is written, to false if the service was stopped before; rejects if writing fails. */
  readonly demoWritten: Promise<boolean>;
  /** Issues the link with which the first account is created; null if there is an account. */
  readonly issueSetupLink: () => Promise<string | null>;
  /** Warnings for people, in sentences. */
  readonly notes: readonly string[];
  /** Serves the certificate that is in its files now; the service does so by itself each minute. */
  readonly renewCertificate: () => Promise<void>;
  /** Resolves to the reason if the service cannot continue. */
  readonly failed: Promise<StartError>;
  /** Answers requests in flight and ends, within five seconds; returns the names of the parts that did not close. */
  stop(): Promise<readonly string[]>;
}

/** Number of attempts with PORT=0, each on another port, before the start fails. */
const MAX_STARTS = 5;

/**
 * Starts the service, and listens once everything is ready except content and trips of a new demonstration. A free port is
 * chosen before, since addresses depend on it; if another program takes it meanwhile, another is chosen.
 *
 * @throws ConfigError, DatabaseError or StartError
 */
export async function serve(options: ServeOptions): Promise<RunningService> {
  for (let starts = 1; ; starts++) {
    try {
      return await start(options);
    } catch (error) {
      const isRepeated = error instanceof PortInUseError && readConfig(options.env).port === 0;
      if (!isRepeated || starts === MAX_STARTS) throw error;
    }
  }
}

async function start({ env, demo: demoOption, logTo, onDemoProgress }: ServeOptions): Promise<RunningService> {
  const given = readConfig(env);
  const fixed = { ...env, PORT: String(await freePort(given.host, given.port)), ...(given.lan && { LAN: given.lan }) };
  const config = readConfig(fixed);
  const log = createLog(config.logLevel, logTo);
  const prepared = await prepare(config, demoOption, log);
  const { database, demo, certificate } = prepared;
  const measured = serviceMetrics(database.service);
  try {
    const backups = scheduledBackups(config, log);
    const answers = await (config.workers > 1 ? answerByWorkers : answerHere)(database.service, {
      config,
      log,
      env: fixed,
      ...prepared,
      isDemoDriven: demo !== null && demoOption !== 'refused',
      metrics: [...backups.metrics, measured.metrics, databaseMetrics(database.service)],
    });
    const writing = completeDemo(demo, (share) => {
      if (share === 0) log.info('writing simulated trips');
      onDemoProgress?.(share);
    });
    const parts = [
      ...answers.parts,
      writing.part,
      runUnderLease(
        database.service,
        'housekeeping',
        (lease) => [...startHousekeeping(database.service, log, database, lease), ...backups.start(lease)],
        (err) => log.error({ err }, 'housekeeping'),
      ),
      { name: 'work after answers', close: () => leasedWorkEnded(database.service) },
      measured,
      { name: 'database', close: () => database.close() },
    ];
    const demoAccount = (await readDemoKeys(config.dataDir))?.account_key ?? null;
    return {
      config,
      database,
      caFile: certificate.caFile,
      demo: demo === null ? null : demo.keys,
      demoFile: demoFile(config.dataDir),
      demoWritten: writing.written,
      issueSetupLink: async () => (await issueSetupLink(database.service, demoAccount, config.authUrl))?.link ?? null,
      notes: await warningsOn(config, demoOption, prepared),
      renewCertificate: answers.renewCertificate,
      stop: createShutdown(parts, log),
      failed: answers.failed,
    };
  } catch (error) {
    await measured.close();
    await database.close();
    throw error;
  }
}

/** Completes a new demonstration while the service answers. */
function completeDemo(
  demo: Demo | null,
  onProgress: (share: number) => void,
): { readonly written: Promise<boolean>; readonly part: Closable } {
  const ending = new AbortController();
  const written = demo ? demo.complete(ending.signal, onProgress) : Promise.resolve(true);
  const settled = Promise.allSettled([written]);
  const close = () => {
    ending.abort();
    return settled;
  };
  return { written, part: { name: 'demonstration', close } };
}

/** The part of a service that answers requests. */
interface Answers {
  readonly parts: readonly Closable[];
  readonly renewCertificate: () => Promise<void>;
  readonly failed: Promise<StartError>;
}

interface AnswersOptions extends Prepared {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly env: ServeOptions['env'];
  /** True if the vehicles of the demonstration drive. */
  readonly isDemoDriven: boolean;
  /** Metrics of this process, beside those of every process. */
  readonly metrics: readonly Registry[];
}

async function answerHere(service: Service, { demo, ...options }: AnswersOptions): Promise<Answers> {
  const answering = await prepareAnswering(service, { ...options, hasDemo: demo !== null, isWorker: false });
  try {
    const parts = await answering.listen();
    return { parts, renewCertificate: answering.renewCertificate, failed: new Promise(() => undefined) };
  } catch (error) {
    await answering.close();
    throw error;
  }
}

/** Starts other processes to answer; this one has the embedded database, and does the periodic work. */
async function answerByWorkers(
  _service: Service,
  { config, log, env, database, demo, isDemoDriven, metrics }: AnswersOptions,
): Promise<Answers> {
  const { Supervisor } = await import('./workers/supervisor.ts');
  const supervisor = new Supervisor({
    count: config.workers,
    input: { database: database.embeddedAt, hasDemo: demo !== null, isDemoDriven },
    env,
    log,
    metrics,
    onEnd: () => completeWork(database.service, log),
  });
  await supervisor.start();
  return {
    parts: [
      { name: 'workers', close: () => supervisor.stop() },
      ...startWatching(database.service, log),
      collectWhenIdle(),
    ],
    renewCertificate: async () => supervisor.renewCertificates(),
    failed: supervisor.failed,
  };
}

async function warningsOn(
  config: Config,
  demoOption: DemoOption,
  { demo, certificate }: Prepared,
): Promise<readonly string[]> {
  const notes: string[] = [];
  if (demoOption === 'wanted' && demo === null) {
    notes.push('No demonstration was created: the database already has accounts.');
  }
  const name = componentName(config.mapboxAccessToken);
  if ((await readBuilt(`dist/${name}`)) === null) {
    notes.push(`dist/${name} is missing, so pages have no map: run npm run build and restart the service.`);
  }
  if (certificate.isNewAuthority)
    notes.push('The CA file was replaced for the configured hosts: trust the new one instead of the old one.');
  return notes;
}
