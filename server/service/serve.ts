import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';

import { currentSigningKey } from '../../auth/signing-keys.ts';
import { mediaStorage } from '../../content/media/storage/chosen-storage.ts';
import { completeChanges } from '../../content/items/pending-changes.ts';
import { watchChanges } from '../../resolvers/changes/change-watch.ts';
import { completeMoves } from '../../resolvers/groups/move-group.ts';
import { completeInterrupted } from '../../resolvers/recording/complete-interrupted.ts';
import { watchWebhooks } from '../../resolvers/webhooks/webhook-dispatch.ts';
import { leasedWorkEnded } from '../../resolvers/recording/device-lease.ts';

import { Admission } from '../../http/admission/admission.ts';
import { type Config, configuredQuotas, readConfig } from '../configuration/config.ts';
import { BodyMemory } from '../../http/requests/body-memory.ts';
import { ContentSite } from '../../content/site/content-site.ts';
import { makeDataFolder } from '../database/data-folder.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { demoFile, type DemoKeys, readDemoKeys } from '../demo/demo-keys.ts';
import { databaseMetrics } from '../database/database-metrics.ts';
import { type DemoOption, ensureDemo } from '../demo/ensure-demo.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { accountEndpoint } from '../endpoints/account-endpoint.ts';
import { contentEndpoint } from '../../content/rest/content-endpoint.ts';
import { contentSiteEndpoint } from '../endpoints/content-site-endpoint.ts';
import { gatewayEndpoint } from '../graphql/gateway-endpoint.ts';
import { mapEndpoint } from '../endpoints/map-endpoint.ts';
import { oauthEndpoint } from '../endpoints/oauth-endpoint.ts';
import { shareEndpoint } from '../endpoints/share-endpoint.ts';
import { siteEndpoint } from '../endpoints/site-endpoint.ts';
import { tokenEndpoint } from '../endpoints/token-endpoint.ts';
import { uploadsEndpoint } from '../endpoints/uploads-endpoint.ts';
import { readDescriptors, warningOfFewDescriptors } from '../../http/answers/few-descriptors.ts';
import { freePort, PortInUseError, startErrorOf } from '../start/free-port.ts';
import { createHost } from '../../http/host.ts';
import { createLog } from '../../http/observing/logs.ts';
import { isLoopbackHost } from '../../http/requests/loopback.ts';
import { logMigrations } from '../database/migration-log.ts';
import { pathCollisionOf } from '../configuration/path-in-use.ts';
import { certificateRenewal } from '../start/certificate-renewal.ts';
import { createShutdown } from '../start/shutdown.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import { repeat, startHousekeeping } from './housekeeping.ts';
import { serviceMetrics } from './service-metrics.ts';
import { scheduledBackups } from './scheduled-backups.ts';
import { componentFiles } from '../site/component/component-file.ts';
import { componentName } from '../site/component-names.ts';
import type { StaticFile } from '../../http/answers/static-file.ts';
import { packageVersion } from '../package/package-file.ts';
import { tlsCertificate } from '../start/tls-certificate.ts';

/** Options of a start besides the settings. */
export interface ServeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Choice of a demonstration: on an empty embedded database by default. */
  readonly demo: DemoOption;
  /** Destination of log lines; standard error unless given. */
  readonly logTo?: DestinationStream;
}

/** A service that answers. */
export interface Service {
  /** Its settings, with the port that it listens on. */
  readonly config: Config;
  readonly database: Pick<Database, 'description'>;
  /** The file of the local authority that clients must be told to trust; null with a certificate from elsewhere. */
  readonly caFile: string | null;
  readonly demo: DemoKeys | null;
  readonly demoFile: string;
  /** Warnings for people, in sentences. */
  readonly notes: readonly string[];
  /** Serves the certificate that is in its files now; the service does so by itself each minute. */
  readonly renewCertificate: () => Promise<void>;
  /** Answers what is in flight and ends, within five seconds; answers the names of the parts that did not close. */
  stop(): Promise<readonly string[]>;
}

/** Starts with PORT=0, each on another port, before the start is given up. */
const MAX_STARTS = 5;

/**
 * Starts the service, and listens once everything else is ready. A free port is chosen before, since addresses depend on
 * it; where another program takes it meanwhile, another is chosen.
 *
 * @throws ConfigError, DatabaseError or StartError
 */
export async function serve(options: ServeOptions): Promise<Service> {
  for (let starts = 1; ; starts++) {
    try {
      return await start(options);
    } catch (error) {
      const isRepeated = error instanceof PortInUseError && readConfig(options.env).port === 0;
      if (!isRepeated || starts === MAX_STARTS) throw error;
    }
  }
}

async function start({ env, demo: demoOption, logTo }: ServeOptions): Promise<Service> {
  const given = readConfig(env);
  const config = readConfig({ ...env, PORT: String(await freePort(given.host, given.port)) });
  const log = createLog(config.logLevel, logTo);
  await makeDataFolder(config.dataDir);
  const database = await openDatabase(config, true, { migrations: 'run', onProgress: logMigrations(log) });
  let host: FastifyInstance | undefined;
  const measured = serviceMetrics();
  try {
    await currentSigningKey();
    warnOfPlainKeys(config, log);
    await completeInterrupted().catch((err: unknown) => log.error({ err }, 'interrupted trips'));
    await completeMoves().catch((err: unknown) => log.error({ err }, 'moved groups'));
    await completeChanges().catch((err: unknown) => log.error({ err }, 'interrupted changes of content'));
    const demo = await ensureDemo(config.dataDir, demoOption, database);
    const certificate = await tlsCertificate(config);
    const components = await componentFiles(config);
    const notes = warningsOn(config, demoOption, demo, components);
    if (certificate.isNewAuthority)
      notes.push('The CA file was replaced for the configured hosts: trust the new one instead of the old one.');
    const descriptors = await readDescriptors();
    const fewDescriptors = descriptors && warningOfFewDescriptors(descriptors);
    if (fewDescriptors !== null) log.warn(fewDescriptors);
    const backups = scheduledBackups(config, log);
    host = createHost({
      certificate,
      descriptors,
      trustedProxies: config.trustedProxies,
      log,
      endpoints: await endpointsOf(config, components, demo !== null),
      ping: database.ping,
      version: packageVersion(),
      metrics: [...backups.metrics, measured.metrics, databaseMetrics()],
      metricsToken: config.metricsToken,
      admission: new Admission(configuredQuotas(config)),
    });
    await listen(host, config);
    const changes = watchChanges((err) => log.error({ err }, 'log of changes'));
    const webhooks = watchWebhooks((err) => log.error({ err }, 'webhooks'));
    const renewCertificate = certificateRenewal(host, config, certificate, log);
    const stop = createShutdown(
      [
        { name: 'host', close: async () => host?.close() },
        { name: 'webhooks', close: webhooks.close },
        { name: 'log of changes', close: changes.close },
        ...startHousekeeping(log, database),
        ...backups.start(),
        repeat('certificate', 60_000, renewCertificate),
        { name: 'work after answers', close: leasedWorkEnded },
        collectWhenIdle(),
        measured,
        { name: 'database', close: () => database.close() },
      ],
      log,
    );
    return {
      config,
      database,
      caFile: certificate.caFile,
      demo,
      demoFile: demoFile(config.dataDir),
      notes,
      renewCertificate,
      stop,
    };
  } catch (error) {
    await host?.close();
    await measured.close();
    await database.close();
    throw error;
  }
}

function warnOfPlainKeys({ keyEncryptionSecret, authUrl }: Config, log: FastifyBaseLogger): void {
  if (keyEncryptionSecret === null && !isLoopbackHost(new URL(authUrl).hostname)) {
    log.warn('signing keys are stored unencrypted; set KEY_ENCRYPTION_SECRET');
  }
}

async function endpointsOf(config: Config, components: Components, hasDemo: boolean): Promise<Endpoint[]> {
  const { authUrl: issuer, graphqlUrl, dataDir } = config;
  const website = new ContentSite(new URL(config.siteUrl));
  return [
    await gatewayEndpoint(new URL(graphqlUrl), issuer, config),
    await accountEndpoint(new URL(config.baseUrl), new URL(config.authUrl)),
    await tokenEndpoint(new URL(issuer), issuer),
    await oauthEndpoint(issuer),
    await contentEndpoint(new URL(config.siteUrl), new BodyMemory(config.uploadMemory * 1024 * 1024)),
    uploadsEndpoint(new URL(config.siteUrl), mediaStorage),
    await siteEndpoint(config, components, async () => (hasDemo ? readDemoKeys(dataDir) : null), website),
    mapEndpoint(config),
    shareEndpoint(config),
    contentSiteEndpoint(config, website),
  ];
}

type Components = ReadonlyMap<string, StaticFile>;

function warningsOn(
  { mapboxAccessToken }: Config,
  demoOption: DemoOption,
  demo: DemoKeys | null,
  components: Components,
): string[] {
  const notes: string[] = [];
  if (demoOption === 'wanted' && demo === null) {
    notes.push('No demonstration was created: the database already has accounts.');
  }
  const name = componentName(mapboxAccessToken);
  if (!components.has(name)) {
    notes.push(`dist/${name} is missing, so pages have no map: run npm run build and start again.`);
  }
  return notes;
}

async function listen(host: FastifyInstance, { host: address, port }: Config): Promise<void> {
  await host.ready().then(undefined, (error: unknown) => {
    throw pathCollisionOf(error) ?? error;
  });
  try {
    await host.listen({ host: address, port, listenTextResolver: () => 'listening' });
  } catch (error) {
    throw startErrorOf(error, address, port);
  }
}
