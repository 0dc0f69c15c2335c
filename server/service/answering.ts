import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import { mediaStorage } from '../../content/media/storage/media-storage.ts';
import { contentEndpoint } from '../../content/rest/content-endpoint.ts';
import { ContentSite } from '../../content/site/content-site.ts';
import { Admission } from '../../http/admission/admission.ts';
import { readDescriptors, warningOfFewDescriptors } from '../../http/answers/file-descriptors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { createHost } from '../../http/host.ts';
import type { MetricsOptions } from '../../http/observing/metrics.ts';
import { BodyMemory } from '../../http/requests/body-memory.ts';
import { MIN_UPLOAD_MEMORY } from '../../http/requests/body-limits.ts';
import type { Certificate } from '../../http/tls/listener.ts';
import { caFileOf } from '../../http/tls/local-ca.ts';

import { type Config, configuredQuotas } from '../configuration/config.ts';
import { pathCollisionOf } from '../configuration/path-in-use.ts';
import type { Database } from '../database/database.ts';
import { readDemoKeys } from '../demo/demo-keys.ts';
import { DemoTraffic, TRAFFIC_INTERVAL_MS } from '../demo/demo-traffic.ts';
import { accountDescription, accountEndpoint } from '../endpoints/account-endpoint.ts';
import { accountPaths } from '../endpoints/account-paths.ts';
import { Documentation } from '../../pages/documentation/documentation.ts';
import { documentationEndpoint } from '../../pages/endpoints/documentation-endpoint.ts';
import { contentSiteEndpoint } from '../../pages/endpoints/content-site-endpoint.ts';
import { mapEndpoint } from '../endpoints/map-endpoint.ts';
import { oauthEndpoint } from '../../pages/endpoints/oauth-endpoint.ts';
import { caEndpoint } from '../../pages/endpoints/ca-endpoint.ts';
import { shareEndpoint } from '../../pages/endpoints/share-endpoint.ts';
import { siteEndpoint } from '../../pages/endpoints/site-endpoint.ts';
import { tokenEndpoint } from '../endpoints/token-endpoint.ts';
import { uploadsEndpoint } from '../endpoints/uploads-endpoint.ts';
import { gatewayEndpoint } from '../../graphql/endpoint/gateway-endpoint.ts';
import { packageVersion } from '../../http/package-file.ts';
import { componentFiles } from '../../pages/component/component-file.ts';
import { certificateRenewal } from '../start/certificate-renewal.ts';
import { startErrorOf } from '../start/free-port.ts';
import type { Closable } from '../start/shutdown.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import { repeat, startWatching } from './housekeeping.ts';
import type { Service } from '../../models/store/service.ts';

/** Parts of a process that answers requests. */
export interface AnsweringOptions extends Pick<MetricsOptions, 'metrics' | 'gathered'> {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly certificate: Certificate;
  readonly database: Pick<Database, 'ping'>;
  /** True if there is a demonstration. */
  readonly hasDemo: boolean;
  /** True if its vehicles drive. */
  readonly isDemoDriven: boolean;
  /** True in one of several processes on the same port: they share its rate limits. */
  readonly isWorker: boolean;
}

/** A process that is ready to answer requests. */
export interface Answering {
  /**
   * Listens, and starts the work of each process for its own requests; closing the returned parts in order ends everything.
   *
   * @throws StartError
   */
  listen(): Promise<readonly Closable[]>;
  /** Serves the current certificate from its files. */
  readonly renewCertificate: () => Promise<void>;
  close(): Promise<void>;
}

/** Makes the host of a process, with all endpoints. */
export async function prepareAnswering(service: Service, options: AnsweringOptions): Promise<Answering> {
  const { config, log, certificate, database, hasDemo, isDemoDriven, isWorker, metrics = [], gathered } = options;
  const descriptors = await readDescriptors();
  const fewDescriptors = descriptors && warningOfFewDescriptors(descriptors);
  if (fewDescriptors !== null) log.warn(fewDescriptors);
  const host = createHost({
    certificate,
    descriptors,
    trustedProxies: config.trustedProxies,
    log,
    endpoints: await endpointsOf(service, config, hasDemo),
    ping: database.ping,
    mayStall: config.mongodbUri !== null,
    version: packageVersion(),
    metrics,
    ...(gathered && { gathered }),
    metricsToken: config.metricsToken,
    admission: new Admission(configuredQuotas(config), { isWorker }),
  });
  await host.ready().then(undefined, async (error: unknown) => {
    await host.close();
    throw pathCollisionOf(error) ?? error;
  });
  const renewCertificate = certificateRenewal(host, config, certificate, log);
  return {
    listen: async () => {
      await listen(host, config);
      return [
        { name: 'host', close: async () => host.close() },
        ...startWatching(service, log),
        ...(isDemoDriven ? await startTraffic(service, config, log) : []),
        repeat('certificate', 60_000, renewCertificate),
        collectWhenIdle(),
      ];
    },
    renewCertificate,
    close: async () => host.close(),
  };
}

async function endpointsOf(service: Service, config: Config, hasDemo: boolean): Promise<Endpoint[]> {
  const { authUrl: issuer, graphqlUrl, dataDir } = config;
  const paths = await accountPaths(config.trustedDocuments);
  const documentation = new Documentation(config, () => accountDescription(config, paths));
  const website = new ContentSite(service, new URL(config.siteUrl), documentation);
  const components = await componentFiles(config);
  return [
    await gatewayEndpoint(service, new URL(graphqlUrl), issuer, config),
    await accountEndpoint(service, new URL(config.baseUrl), new URL(config.authUrl), paths),
    await tokenEndpoint(service, new URL(issuer), issuer),
    await oauthEndpoint(service, issuer, config, async () => (await readDemoKeys(dataDir))?.account_key ?? null),
    await contentEndpoint(service, new URL(config.siteUrl), new BodyMemory(uploadMemoryOf(config))),
    uploadsEndpoint(new URL(config.siteUrl), mediaStorage(service)),
    await siteEndpoint(
      service,
      config,
      components,
      async () => (hasDemo ? readDemoKeys(dataDir) : null),
      website,
      documentation,
    ),
    documentationEndpoint(service, website, documentation),
    mapEndpoint(config),
    shareEndpoint(service, config, components),
    ...(config.lan === null ? [] : [await caEndpoint(config.siteUrl, caFileOf(dataDir))]),
    contentSiteEndpoint(service, config, website),
  ];
}

/** Starts to drive the demonstration's vehicles for followers in this process. Faults are logged, and they drive on. */
async function startTraffic(
  service: Service,
  { dataDir }: Config,
  log: FastifyBaseLogger,
): Promise<readonly Closable[]> {
  const demo = await readDemoKeys(dataDir);
  if (demo === null) return [];
  const traffic = new DemoTraffic(service, demo);
  const drive = () => traffic.advance(Date.now()).catch((err: unknown) => log.error({ err }, 'demonstration'));
  return [repeat('demonstration', TRAFFIC_INTERVAL_MS, drive)];
}

/** Memory for uploads of one process, in bytes: its share of the total, but enough for a large upload. */
function uploadMemoryOf({ uploadMemory, workers }: Config): number {
  const all = uploadMemory * 1024 * 1024;
  return Math.max(all / workers, Math.min(all, MIN_UPLOAD_MEMORY));
}

async function listen(host: FastifyInstance, { host: address, port }: Config): Promise<void> {
  try {
    await host.listen({ host: address, port, listenTextResolver: () => 'listening' });
  } catch (error) {
    throw startErrorOf(error, address, port);
  }
}
