import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { apiLink, type ContentSite } from '../../content/site/content-site.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { isLoopbackHost } from '../../http/requests/loopback.ts';
import { newNonce, type PageOptions, pageHeaders } from '../../http/answers/page-headers.ts';
import type { Addresses } from '../site/addresses.ts';
import { COMPONENT_NAMES, componentName, versionedPath } from '../site/component-names.ts';
import { componentPage } from '../component/component-page.ts';
import { componentReference } from '../component/component-reference.ts';
import { embeddingExamples } from '../component/embedding-examples.ts';
import type { Documentation } from '../documentation/documentation.ts';
import { type DemoGrant, demoToken, isForSite, isFromSite } from '../site/demo-token.ts';
import { type Demonstration, frontPage } from '../site/front-page.ts';
import { packageVersion } from '../../http/package-file.ts';
import { reliefSvg } from '../site/relief.ts';
import { siteFile, siteFiles } from '../site/site-files.ts';
import type { StaticFile } from '../../http/answers/static-file.ts';
import { isLocalPeer } from '../../http/tls/transport.ts';
import { isSetUp, SETUP_PATH } from '../../resolvers/account/setup-link.ts';
import type { Service } from '../../models/store/service.ts';

/** The settings that the site needs. */
export interface SiteConfig extends Addresses {
  readonly dataDir: string;
  readonly tlsCert: string | null;
  /** Address of the service on the local network, where everyone may see the demonstration; null if it is not there. */
  readonly lan: string | null;
  readonly mapboxAccessToken: string | null;
}

/** Folders of the documentation below the site's address: the usual one, and the one if `docs` belongs to another page. */
export const FOLDERS = ['docs', 'developer-docs'] as const;

/** Reads the current keys of the demonstration; null if there is none. */
export type ReadDemo = () => Promise<DemoGrant | null>;

/**
 * The developer website under `{site_url}`: the front page, the component's files and their resources.
 *
 * @param components the files of the component by their names; none if it has not been built
 * @param content pages to which the front page links; null if there is none
 * @param documentation documents to which the page of the component links; null if there is none
 */
export async function siteEndpoint(
  service: Service,
  config: SiteConfig,
  components: ReadonlyMap<string, StaticFile>,
  readDemo: ReadDemo,
  content: ContentSite | null = null,
  documentation: Documentation | null = null,
): Promise<Endpoint> {
  const site = new URL(config.siteUrl);
  const root = `${site.pathname.replace(/\/$/, '')}/`;
  const files = await siteFiles();
  let relief: StaticFile | undefined;
  const version = packageVersion();
  const [reference, examples] = await Promise.all([componentReference(), embeddingExamples(config)]);

  return {
    name: 'website',
    register: (app) => {
      keepFromSignIn(app, config);
      app.get(root, async (request, reply) => {
        if (content?.isOtherPage(request) || (await content?.hasOwnFront())) return content?.answer(request, reply);
        const news = (await content?.frontMatter()) ?? null;
        const nonce = newNonce();
        const demonstration = await demonstrationFor(request, config, readDemo);
        reply.header('Link', apiLink(site.href.replace(/\/$/, '')));
        reply.headers(pageHeaders(nonce, demonstration.kind === 'live' ? mapNeeds(config) : {}));
        const caFile = caFileFor(request, config);
        const setupUrl = demonstration.kind === 'hidden' ? null : await setupUrlOf(service, config, readDemo);
        const component = versionedPath(componentName(config.mapboxAccessToken), components);
        return frontPage({ addresses: config, root, nonce, version, caFile, demonstration, setupUrl, news, component });
      });
      const component = async (request: FastifyRequest, reply: FastifyReply) => {
        if (await content?.hasItemAt('docs/component')) return content?.answer(request, reply);
        const nonce = newNonce();
        const demonstration = await demonstrationFor(request, config, readDemo);
        reply.headers(pageHeaders(nonce, demonstration.kind === 'live' ? mapNeeds(config) : {}));
        const frame = (await content?.frame()) ?? null;
        const page = { addresses: config, root, nonce, version, demonstration, reference, examples, frame };
        const entries = documentation && (await documentation.entries());
        return componentPage({ ...page, entries, hashes: await hashesOf(components) });
      };
      for (const folder of FOLDERS) app.get(`${root}${folder}/component`, component);
      for (const [path, file] of files) {
        app.get(root + path, { compress: false }, (request, reply) => file.send(request, reply));
      }
      app.get(`${root}site/relief.svg`, { compress: false }, (request, reply) => {
        // Drawn on first use, which saves 50 ms of CPU at startup.
        relief ??= siteFile('relief.svg', reliefSvg());
        return relief.send(request, reply);
      });
      for (const name of Object.values(COMPONENT_NAMES)) {
        const component = components.get(name);
        app.get(root + name, { compress: false }, async (request, reply) => {
          return component ? component.send(request, reply) : rejectUnbuilt(reply, name);
        });
      }
      app.get<{ Params: { digest: string; name: string } }>(
        `${root}component/:digest/:name`,
        { compress: false },
        async (request, reply) => {
          const { digest, name } = request.params;
          const component = components.get(name);
          if (!component) return reply.callNotFound();
          if (component.digest === digest) return component.send(request, reply, IMMUTABLE);
          // A page that was loaded before an upgrade gets the present version.
          return reply
            .headers({ 'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': '*' })
            .redirect(root + name, 302);
        },
      );
      addDemoToken(service, app, `${root}demo/token`, config, readDemo);
    },
  };
}

/** Caching of a file whose address changes with its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

async function setupUrlOf(service: Service, { authUrl }: SiteConfig, readDemo: ReadDemo): Promise<string | null> {
  return (await isSetUp(service, (await readDemo())?.account_key ?? null)) ? null : authUrl + SETUP_PATH;
}

/** Hashes of the files of the component by their paths below the site's, which change with the files. */
async function hashesOf(components: ReadonlyMap<string, StaticFile>): Promise<ReadonlyMap<string, string>> {
  const hashes = [...components].map(
    async ([name, file]) => [versionedPath(name, components), await file.integrity()] as const,
  );
  return new Map(await Promise.all(hashes));
}

/** Excludes pages of the site from the sign-in host if that is another one (decisions, section "Addresses"). */
export function keepFromSignIn(
  app: FastifyInstance,
  { authUrl, siteUrl }: Pick<Addresses, 'authUrl' | 'siteUrl'>,
): void {
  const signIn = new URL(authUrl).hostname;
  if (signIn === new URL(siteUrl).hostname) return;
  app.addHook('onRequest', async (request, reply) => {
    if (request.hostname.toLowerCase() === signIn) return reply.callNotFound();
  });
}

/** Returns true for a visitor who may see the demonstration: on this machine, or on the local network that is served. */
function mayTry(request: FastifyRequest, { lan }: SiteConfig): boolean {
  return lan !== null || isLocalPeer(request);
}

/** Adds the source of tokens for pages of the site near this machine, for vehicles of the demonstration. */
function addDemoToken(
  service: Service,
  app: FastifyInstance,
  path: string,
  config: SiteConfig,
  readDemo: ReadDemo,
): void {
  const { authUrl, siteUrl } = config;
  const { origin } = new URL(siteUrl);
  app.post<{ Body: { readonly vehicle_key?: unknown } | null }>(path, {
    bodyLimit: 4096,
    onRequest: async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      if (!mayTry(request, config)) return reply.callNotFound();
      if (!isFromSite(request, origin)) return reply.code(403).send();
    },
    handler: async (request, reply) => {
      const demo = await readDemo();
      const issued = demo?.complete
        ? await demoToken(service, demo, request.body?.vehicle_key, { issuer: authUrl, origin })
        : null;
      return issued ?? reply.code(404).send();
    },
  });
}

async function demonstrationFor(
  request: FastifyRequest,
  config: SiteConfig,
  readDemo: ReadDemo,
): Promise<Demonstration> {
  if (!mayTry(request, config)) return { kind: 'hidden' };
  const demo = await readDemo();
  if (!demo?.complete) return { kind: 'absent' };
  if (!isForSite(request, new URL(config.siteUrl).origin)) return { kind: 'elsewhere' };
  const { graphqlUrl, siteUrl, mapboxAccessToken, lan } = config;
  return { kind: 'live', live: { vehicles: demo.vehicles, graphqlUrl, siteUrl, mapboxAccessToken, lan } };
}

/** Needs of a page that draws a map. */
export function mapNeeds({
  mapboxAccessToken,
  graphqlUrl,
}: Pick<SiteConfig, 'mapboxAccessToken' | 'graphqlUrl'>): PageOptions {
  return { map: mapboxAccessToken === null ? 'local' : 'mapbox', connects: [new URL(graphqlUrl).origin] };
}

/** Path of the authority's file, for a peer on this machine while the local certificate is used. */
function caFileFor(request: FastifyRequest, { tlsCert, dataDir, baseUrl }: SiteConfig): string | null {
  const isLocal = tlsCert === null && isLoopbackHost(new URL(baseUrl).hostname) && isLocalPeer(request);
  return isLocal ? `${dataDir.replace(/\/$/, '')}/tls/ca.pem` : null;
}

function rejectUnbuilt(reply: FastifyReply, name: string): FastifyReply {
  const message = `dist/${name} is missing: run \`npm run build:element\` and start again`;
  reply.log.error(message);
  return reply.code(503).header('Cache-Control', 'no-store').send({ errors: message });
}
