import { isLoopbackHost } from '../../http/requests/loopback.ts';
import type { Addresses } from '../site/addresses.ts';

/** Settings of an installation that examples contain. */
export interface ExampleSettings extends Addresses {
  readonly tlsCert: string | null;
}

/** Hosts of the documents' examples. */
const EXAMPLE_HOST = 'https://(?:localhost:8443|fleet\\.example\\.com)';

/** Paths of the examples, in this order, with the address below which each is served. */
const PLACES: readonly (readonly [path: string, address: keyof Addresses])[] = [
  ['/api/v2', 'baseUrl'],
  ['/graphql', 'graphqlUrl'],
  ['(?=/(?:api/special-purpose|oauth|authorize|console|apps|security)\\b)', 'authUrl'],
  ['', 'siteUrl'],
];

/** Names of addresses in the documents. */
const NAMED = { base_url: 'baseUrl', auth_url: 'authUrl', site_url: 'siteUrl', graphql_url: 'graphqlUrl' } as const;

/** Writes the addresses of an installation instead of those of examples; `curl` names its authority only if it is a local one. */
export function withAddresses(source: string, settings: ExampleSettings): string {
  const own = ({ [1]: key }: (typeof PLACES)[number]) => settings[key].replace(/\/$/, '');
  const filled = PLACES.reduce(
    (text, place) => text.replace(new RegExp(`${EXAMPLE_HOST}${place[0]}(?![\\w$:])`, 'g'), () => own(place)),
    source,
  ).replace(/\{(base_url|auth_url|site_url|graphql_url)\}/g, (_, name: keyof typeof NAMED) =>
    settings[NAMED[name]].replace(/\/$/, ''),
  );
  const isLocal = settings.tlsCert === null && isLoopbackHost(new URL(settings.baseUrl).hostname);
  return isLocal ? filled : filled.replaceAll(' --cacert data/tls/ca.pem', '');
}
