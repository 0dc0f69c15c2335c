import { availableParallelism } from 'node:os';
import type { AdmissionQuotas } from '../../http/admission/admission.ts';
import { isLoopbackHost } from '../../http/requests/loopback.ts';
import { type Environment, fileVariable, givenSetting } from './given-setting.ts';
import { LAN } from './lan.ts';
import { rejectPathInUse } from './path-in-use.ts';
import { type Form, HTTPS_ADDRESS, matching, oneOf, REQUEST_ADDRESS, type Setting, wholeNumber } from './setting.ts';
import { ConfigError } from '../../schema/config-error.ts';
import { AddressRanges } from '../../http/requests/address-ranges.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const LEVEL_NAMES = LOG_LEVELS.join(', ');
const FOLDER = matching('a folder', /./s);
const FILE = matching('a file', /./s);
const PORT = wholeNumber('a port number', 0, 65_535);
const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);
const BOOLEAN = { expected: 'true or false', parse: (text: string) => BOOLEANS.get(text) };
const COUNT = wholeNumber('a whole number', 1, 999_999_999);
const DAYS = wholeNumber('a number of days', 1, 3650);
const SECONDS = wholeNumber('a number of seconds', 0, 60);
const MINUTES = wholeNumber('a number of minutes', 1, 5_256_000);
const HOURS = wholeNumber('a number of hours', 1, 8760);
const RATE = wholeNumber('a number', 1, 1000);
const PROCESSES = wholeNumber('auto, or a number of processes', 1, 128);
const WORKERS = {
  expected: PROCESSES.expected,
  parse: (text: string) => (text === 'auto' ? availableParallelism() : PROCESSES.parse(text)),
};
const HOST = matching('an IP address or a host name', /^[A-Za-z0-9._:-]+$/);
const MONGODB_URI = matching(
  'a MongoDB connection string, such as mongodb://localhost:27017/waybridge',
  /^mongodb(\+srv)?:\/\/\S+$/,
);
const SECRET = matching('at least 32 characters, such as from openssl rand -base64 32', /^.{32,}$/s);
const MAPBOX_TOKEN = matching('a public Mapbox token, which starts with pk.', /^pk\.[\w.-]+$/);
const BEARER = matching('at least 16 letters, digits or characters of -._~+/', /^[A-Za-z0-9._~+/-]{16,}=*$/);
const NETWORKS = {
  expected: 'a list of IP addresses and CIDR ranges, such as 10.0.0.0/8, fd00::/8',
  parse: AddressRanges.parse,
};

/**
 * Every setting of the service, in the order in which `serve --help` lists them. The key is its name in {@link Config}, and
 * in the `settings` of a `Service`.
 */
export const SETTINGS = {
  port: required('PORT', '8443', 'TCP port to listen on; 0 selects a free port', PORT),
  host: required('HOST', '127.0.0.1', 'Address to listen on; 0.0.0.0 or :: for all addresses', HOST),
  lan: {
    ...required('LAN', 'false', 'Serve the local network: true (or --lan), false, or an address of this machine', LAN),
    isFlag: true,
  },
  workers: required('WORKERS', '1', 'Processes that answer requests; auto for one per core', WORKERS),
  dataDir: required('DATA_DIR', './data', 'Folder for the database, certificates and keys', FOLDER),
  mongodbUri: secret('MONGODB_URI', 'MongoDB to use instead of the embedded database', MONGODB_URI),
  pointReads: required(
    'POINT_READS',
    'on',
    'Reads of few records past the wire of the embedded database, on or off',
    oneOf('on or off', ['on', 'off']),
  ),
  baseUrl: address('BASE_URL', '/api/v2', 'Public address of the account API'),
  authUrl: address('AUTH_URL', '', 'Public address of sign-in and token endpoints'),
  siteUrl: address('SITE_URL', '', 'Public address of the developer website'),
  graphqlUrl: address('GRAPHQL_URL', '/graphql', 'Public address of GraphQL'),
  tlsCert: optional('TLS_CERT', 'PEM file with the certificate chain to use instead of the local certificate', FILE),
  tlsKey: optional('TLS_KEY', 'PEM file with the private key of TLS_CERT', FILE),
  keyEncryptionSecret: secret(
    'KEY_ENCRYPTION_SECRET',
    'Secret that encrypts the signing keys of special-purpose tokens and the secrets of webhooks in the database',
    SECRET,
  ),
  trustedProxies: required(
    'TRUSTED_PROXIES',
    '',
    'TLS proxies whose forwarding headers are trusted, and which may connect over plain HTTP',
    NETWORKS,
  ),
  logLevel: required(
    'LOG_LEVEL',
    'info',
    `Minimum level to log: ${LEVEL_NAMES}`,
    oneOf(`one of ${LEVEL_NAMES}`, LOG_LEVELS),
  ),
  trustedDocuments: optional(
    'TRUSTED_DOCUMENTS',
    'Folder with GraphQL documents (*.graphql) that clients execute by their SHA-256, or by paths of their own',
    FOLDER,
  ),
  trustedDocumentsOnly: required(
    'TRUSTED_DOCUMENTS_ONLY',
    'false',
    'Execute trusted GraphQL documents only, true or false',
    BOOLEAN,
  ),
  automaticPersistedQueries: required(
    'AUTOMATIC_PERSISTED_QUERIES',
    'false',
    'Accept automatic persisted queries of GraphQL clients, true or false',
    BOOLEAN,
  ),
  mapboxAccessToken: optional(
    'MAPBOX_ACCESS_TOKEN',
    'Public Mapbox token, with which pages of the service show Mapbox maps instead of plain ones',
    MAPBOX_TOKEN,
  ),
  securityLogDays: required('SECURITY_LOG_DAYS', '400', 'Days for which events in the security log are kept', DAYS),
  refreshReuseSeconds: required(
    'REFRESH_REUSE_SECONDS',
    '10',
    'Seconds for which an app that repeats a used refresh token gets the same new tokens; 0 for none',
    SECONDS,
  ),
  backupDir: optional(
    'BACKUP_DIR',
    'Folder for scheduled backups of the embedded database; without it, none are made',
    FOLDER,
  ),
  backupEvery: required('BACKUP_EVERY', '24', 'Hours between scheduled backups', HOURS),
  backupKeep: required('BACKUP_KEEP', '7', 'Scheduled backups to keep; older ones are removed', COUNT),
  changeLogDays: required(
    'CHANGE_LOG_DAYS',
    '30',
    'Days for which changes are logged; clients that read the log less often start again',
    DAYS,
  ),
  webhookMaxAge: required(
    'WEBHOOK_MAX_AGE',
    '60',
    'Minutes after which an event is no longer news, and is posted to no webhook',
    MINUTES,
  ),
  webhookNetworks: required(
    'WEBHOOK_NETWORKS',
    '',
    'Private networks to which webhooks may be sent, in addition to the public internet',
    NETWORKS,
  ),
  geocoderUrl: optional(
    'GEOCODER_URL',
    'Reverse geocoder (Nominatim or Photon) that is asked for the streets at the ends of trips; without it, they have none',
    REQUEST_ADDRESS,
  ),
  geocoderRate: required('GEOCODER_RATE', '1', 'Requests per second to the geocoder, one at a time', RATE),
  metricsToken: secret('METRICS_TOKEN', 'Bearer token that gives other machines access to /metrics', BEARER),
  rateLimits: required(
    'RATE_LIMITS',
    'on',
    'Rate limits, on or off; requests beyond them are answered with 429',
    oneOf('on or off', ['on', 'off']),
  ),
  rateLimitCaller: limit(
    'RATE_LIMIT_CALLER',
    '6000',
    'Requests per minute from one API key, grant, device or website user',
  ),
  rateLimitAccount: limit(
    'RATE_LIMIT_ACCOUNT',
    '30000',
    'Requests per minute from all API keys and apps of an account',
  ),
  rateLimitForwarder: limit(
    'RATE_LIMIT_FORWARDER',
    '300000',
    'Requests per minute from all forwarder keys of an account',
  ),
  rateLimitAddress: limit(
    'RATE_LIMIT_ADDRESS',
    '12000',
    'Requests per minute without valid credentials from one IPv4 address or IPv6 /64',
  ),
  rateLimitPoints: limit(
    'RATE_LIMIT_POINTS',
    '6000000',
    'Positions per minute that GraphQL reads or simplifies for one caller',
  ),
  rateLimitMapPoints: limit(
    'RATE_LIMIT_MAP_POINTS',
    '1000000',
    'Positions per minute that GraphQL reads or simplifies for the trip maps of one vehicle and grant',
  ),
  rateLimitAppPoints: limit(
    'RATE_LIMIT_APP_POINTS',
    '60000000',
    'Positions per minute that GraphQL reads or simplifies for all users of one app',
  ),
  rateLimitAccountPoints: limit(
    'RATE_LIMIT_ACCOUNT_POINTS',
    '30000000',
    'Positions per minute that GraphQL reads or simplifies for all callers of an account',
  ),
  rateLimitStreams: limit('RATE_LIMIT_STREAMS', '500', 'Streams that one caller may have open at a time in a process'),
  uploadMemory: limit(
    'UPLOAD_MEMORY',
    '256',
    'Megabytes of uploads and of images decoded from them that are held in memory at a time; uploads beyond that are answered with 503',
  ),
} as const;

/** Configuration: {@link SETTINGS} read from the environment, null if a setting without default is absent. */
export type Config = {
  readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer T> ? T : never;
};

declare module '../../models/store/service.ts' {
  interface ServiceSettings extends Config {}
}

/**
 * Reads the settings.
 *
 * @throws ConfigError naming a variable that is wrong or contradicts another
 */
export function readConfig(env: Environment): Config {
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [key, read(setting, env)]);
  // The rows carry the types from which Config is derived, which Object.fromEntries cannot express.
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  rejectContradictions(config, env);
  return config;
}

function read(setting: Setting<unknown>, env: Environment): unknown {
  const given = givenSetting(setting, env);
  if (given === null) return null;
  const value = setting.parse(given.source === 'default' ? defaultIn(given.text, env) : given.text);
  if (value !== undefined) return value;
  throw new ConfigError(
    given.source === 'file'
      ? `The file of ${fileVariable(setting)} must hold ${setting.expected}`
      : `${setting.name} must be ${setting.expected}`,
  );
}

/** A default with the configured port for `$PORT`, and on the local network with the address there. */
export function defaultIn(fallback: string, env: Environment): string {
  const text = fallback.replace('$PORT', givenSetting(SETTINGS.port, env)?.text ?? '');
  const lan = LAN.parse(givenSetting(SETTINGS.lan, env)?.text ?? '');
  return lan ? text.replace('localhost', lan).replace(/^127\.0\.0\.1$/, '0.0.0.0') : text;
}

/** Settings that say how others reach a service that is public. */
const PUBLIC_SETTINGS = ['baseUrl', 'authUrl', 'siteUrl', 'graphqlUrl', 'tlsCert', 'tlsKey'] as const;

/** Rejects options by which an acknowledged write may be lost, or not be there for its author's next request. */
function rejectWeakConnection(mongodbUri: string | null): void {
  for (const [name, value] of new URLSearchParams(mongodbUri?.split('?')[1])) {
    const isStale = name.toLowerCase() === 'readpreference' && value !== 'primary';
    const isUnacknowledged = name.toLowerCase() === 'w' && value === '0';
    if (!isStale && !isUnacknowledged) continue;
    throw new ConfigError(
      `MONGODB_URI must not have ${isStale ? 'a readPreference other than primary' : 'w=0'}: what was acknowledged must be there for the next request; remove the option`,
    );
  }
}

function rejectContradictions(config: Config, env: Environment): void {
  for (const { name } of config.lan === null ? [] : PUBLIC_SETTINGS.map((key) => SETTINGS[key])) {
    if (!env[name]) continue;
    throw new ConfigError(
      `LAN must not be given together with ${name}: its addresses and certificate follow from this machine's; a service with a public name needs no LAN`,
    );
  }
  if ((config.tlsCert === null) !== (config.tlsKey === null)) {
    const [missing, given] = config.tlsKey === null ? ['TLS_KEY', 'TLS_CERT'] : ['TLS_CERT', 'TLS_KEY'];
    throw new ConfigError(`${missing} must be given together with ${given}; set both or neither`);
  }
  if (config.backupDir !== null && config.mongodbUri !== null) {
    throw new ConfigError(
      'BACKUP_DIR must not be given together with MONGODB_URI: back up MongoDB with its own tools, such as mongodump',
    );
  }
  rejectWeakConnection(config.mongodbUri);
  rejectPathInUse(config);
  if (config.trustedDocumentsOnly && config.automaticPersistedQueries) {
    throw new ConfigError('AUTOMATIC_PERSISTED_QUERIES must be false if TRUSTED_DOCUMENTS_ONLY is true');
  }
  const authHost = new URL(config.authUrl).hostname;
  // Site editors may publish unfiltered HTML, so pages of the site must not share an origin with the sign-in pages. They may
  // not on the local network, where all have one host.
  if (authHost === new URL(config.siteUrl).hostname && !isLoopbackHost(authHost) && config.lan === null) {
    throw new ConfigError(
      'AUTH_URL and SITE_URL must have different host names; give the sign-in pages a separate host',
    );
  }
}

function required<T>(name: string, fallback: string, help: string, form: Form<T>): Setting<T> {
  return { name, fallback, help, isSecret: false, ...form };
}

function optional<T>(name: string, help: string, form: Form<T>): Setting<T | null> {
  return { name, fallback: null, help, isSecret: false, ...form };
}

function secret<T>(name: string, help: string, form: Form<T>): Setting<T | null> {
  return { name, fallback: null, help, isSecret: true, ...form };
}

function address(name: string, path: string, help: string): Setting<string> {
  return required(name, `https://localhost:$PORT${path}`, help, HTTPS_ADDRESS);
}

function limit(name: string, fallback: string, help: string): Setting<number> {
  return required(name, fallback, help, COUNT);
}

/** Reads the quotas from the settings; null if they are off. */
export function configuredQuotas(config: Config): AdmissionQuotas | null {
  if (config.rateLimits === 'off') return null;
  const aMinute = (name: string, points: number) => ({ name, points, seconds: 60 });
  // Apps do not learn what others request.
  const ofAccount = (name: string, points: number) => ({ ...aMinute(name, points), isHidden: true });
  return {
    caller: aMinute('caller', config.rateLimitCaller),
    account: ofAccount('account', config.rateLimitAccount),
    forwarder: aMinute('forwarder', config.rateLimitForwarder),
    address: aMinute('address', config.rateLimitAddress),
    points: aMinute('points', config.rateLimitPoints),
    mapPoints: aMinute('map-points', config.rateLimitMapPoints),
    appPoints: aMinute('app-points', config.rateLimitAppPoints),
    accountPoints: ofAccount('account-points', config.rateLimitAccountPoints),
    streams: config.rateLimitStreams,
  };
}
