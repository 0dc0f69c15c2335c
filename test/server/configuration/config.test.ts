import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readConfig, SETTINGS } from '../../../server/configuration/config.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

describe('readConfig', () => {
  test('has a default for an empty environment', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 8443,
      host: '127.0.0.1',
      dataDir: './data',
      mongodbUri: null,
      baseUrl: 'https://localhost:8443/api/v2',
      authUrl: 'https://localhost:8443',
      siteUrl: 'https://localhost:8443',
      graphqlUrl: 'https://localhost:8443/graphql',
      tlsCert: null,
      tlsKey: null,
      logLevel: 'info',
      mapboxAccessToken: null,
      metricsToken: null,
    });
    expect(config.trustedProxies.has('127.0.0.1')).toBe(false);
  });

  test('is frozen', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  test('lets the default addresses follow the port', () => {
    expect(readConfig({ PORT: '9000' }).baseUrl).toBe('https://localhost:9000/api/v2');
  });

  test('takes an empty variable for an absent one', () => {
    expect(readConfig({ PORT: '', MONGODB_URI: '' })).toMatchObject({ port: 8443, mongodbUri: null });
  });

  test('drops the trailing slash of an address', () => {
    expect(readConfig({ BASE_URL: 'https://api.example.com/v2/' }).baseUrl).toBe('https://api.example.com/v2');
  });

  test('reads true and false', () => {
    expect(readConfig({})).toMatchObject({ trustedDocumentsOnly: false, automaticPersistedQueries: false });
    expect(readConfig({ TRUSTED_DOCUMENTS_ONLY: 'true' }).trustedDocumentsOnly).toBe(true);
    expect(readConfig({ TRUSTED_DOCUMENTS_ONLY: 'false' }).trustedDocumentsOnly).toBe(false);
  });

  test('reads the trusted proxies', () => {
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies.has('10.1.2.3')).toBe(true);
  });

  test.each([
    ['PORT', '70000'],
    ['PORT', 'https'],
    ['HOST', 'two words'],
    ['MONGODB_URI', 'postgres://localhost/secret'],
    ['BASE_URL', 'http://api.example.com'],
    ['BASE_URL', 'https://user:secret@example.com'],
    ['AUTH_URL', 'https://auth.example.com/?x=secret'],
    ['SITE_URL', 'example.com'],
    ['BASE_URL', 'https://api.example.com/secret*b'],
    ['SITE_URL', 'https://example.com/:secret'],
    ['AUTH_URL', 'https://auth.example.com/%73ecret'],
    ['GRAPHQL_URL', 'https://example.com/graphql#secret'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_DOCUMENTS_ONLY', 'yes'],
    ['TRUSTED_DOCUMENTS_ONLY', 'constructor'],
    ['AUTOMATIC_PERSISTED_QUERIES', 'on'],
    ['MAPBOX_ACCESS_TOKEN', 'sk.secret'],
    ['METRICS_TOKEN', 'secret'],
    ['GEOCODER_URL', 'ftp://geo.example/secret'],
    ['GEOCODER_URL', 'https://user:secret@geo.example/reverse'],
    ['GEOCODER_RATE', '0'],
    ['BACKUP_EVERY', '0'],
    ['BACKUP_KEEP', 'secret'],
  ])('refuses %s=%s with a sentence that names it and hides its value', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be `));
    expect(() => readConfig({ [name]: value })).not.toThrow(/secret/);
  });

  test.each([
    [{ TLS_CERT: 'a.pem' }, /^TLS_KEY must be given together with TLS_CERT/],
    [{ TLS_KEY: 'a.pem' }, /^TLS_CERT must be given together with TLS_KEY/],
    [
      { BACKUP_DIR: '/backups', MONGODB_URI: 'mongodb://localhost/fleet' },
      /^BACKUP_DIR must not be given together with MONGODB_URI/,
    ],
    [
      { MONGODB_URI: 'mongodb://localhost/fleet?retryWrites=true&readPreference=nearest' },
      /^MONGODB_URI must not have a readPreference other than primary/,
    ],
    [{ MONGODB_URI: 'mongodb://localhost/fleet?w=0' }, /^MONGODB_URI must not have w=0/],
    [
      { AUTH_URL: 'https://example.com', SITE_URL: 'https://example.com:444/blog' },
      /^AUTH_URL and SITE_URL must have different host names/,
    ],
    [
      { GRAPHQL_URL: 'https://localhost:8443/' },
      /^GRAPHQL_URL must have a different path from the front page of SITE_URL/,
    ],
    [{ GRAPHQL_URL: 'https://g.example/metrics' }, /^GRAPHQL_URL must have a path other than .*\/metrics/],
    [
      { TRUSTED_DOCUMENTS_ONLY: 'true', AUTOMATIC_PERSISTED_QUERIES: 'true' },
      /^AUTOMATIC_PERSISTED_QUERIES must be false if TRUSTED_DOCUMENTS_ONLY is true/,
    ],
  ])('refuses the contradiction %o', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  test.each(['https://localhost', 'https://127.0.0.1', 'https://[::1]', 'https://dev.localhost'])(
    'lets sign-in and site share the loopback address %s',
    (url) => {
      expect(readConfig({ AUTH_URL: url, SITE_URL: url }).authUrl).toBe(url);
    },
  );
});

test('lets GraphQL have the root where the site has a separate path', () => {
  const env = { GRAPHQL_URL: 'https://localhost:8443', SITE_URL: 'https://localhost:8443/site' };
  expect(readConfig(env).graphqlUrl).toBe('https://localhost:8443');
});

describe('a secret in a file', () => {
  const secret = 'a secret of thirty-two characters';

  test('is read without the line break at its end', async () => {
    const file = await secretFile(`${secret}\n`);
    expect(readConfig({ KEY_ENCRYPTION_SECRET_FILE: file }).keyEncryptionSecret).toBe(secret);
  });

  test('that is wrong is refused with a sentence that names the variable and hides the value', async () => {
    const env = { KEY_ENCRYPTION_SECRET_FILE: await secretFile('short secret') };
    expect(() => readConfig(env)).toThrow(/^The file of KEY_ENCRYPTION_SECRET_FILE must hold at least 32 characters/);
    expect(() => readConfig(env)).not.toThrow(/short/);
  });

  test('is refused where the file cannot be read', () => {
    expect(() => readConfig({ METRICS_TOKEN_FILE: '/nowhere' })).toThrow(
      'METRICS_TOKEN_FILE must be a readable file (ENOENT)',
    );
  });

  test('is refused beside the same secret in the environment', async () => {
    const env = { KEY_ENCRYPTION_SECRET: secret, KEY_ENCRYPTION_SECRET_FILE: await secretFile(secret) };
    expect(() => readConfig(env)).toThrow(
      'KEY_ENCRYPTION_SECRET must not be given together with KEY_ENCRYPTION_SECRET_FILE; set one of them',
    );
  });

  test('is for secrets only', async () => {
    expect(readConfig({ PORT_FILE: await secretFile('9000') }).port).toBe(8443);
  });

  async function secretFile(text: string): Promise<string> {
    const file = join(await temporaryFolder(), 'secret');
    await writeFile(file, text);
    return file;
  }
});

describe('SETTINGS', () => {
  test('says of every setting what it is for, as one sentence without a period', () => {
    for (const { help } of Object.values(SETTINGS)) {
      expect(help).toMatch(/^[A-Z].*[^.]$/);
    }
  });
});
