import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { renderUnicodeCompact } from 'uqr';

import { TRIP_TOKEN_ROLES } from '../../auth/trip-token.ts';

import type { DemoKeys } from '../demo/demo-keys.ts';
import { GOOD_FOR_HOURS } from '../demo/ensure-demo.ts';
import { CA_PATH } from '../../pages/endpoints/ca-endpoint.ts';
import { quote } from '../../pages/site/code-block.ts';
import type { RunningService } from './serve.ts';

/**
 * Formats the text printed when the service is ready: addresses, the certificate to trust, and examples to try.
 *
 * @param setupLink link to create the first account; null if there is one
 */
export function banner(service: RunningService, setupLink: string | null): string {
  const { config, database, caFile, demo, demoFile, notes } = service;
  const lines = [
    'Waybridge is ready.',
    '',
    `  Website      ${config.siteUrl}`,
    `  Account API  ${config.baseUrl}`,
    `  GraphQL      ${config.graphqlUrl}`,
    `  Tokens       ${config.authUrl}/api/special-purpose/v1/token`,
    `  Database     ${database.description}`,
    ...(caFile === null ? [] : [`  CA file      ${resolve(caFile)} (for curl --cacert and NODE_EXTRA_CA_CERTS)`]),
    ...(caFile === null || config.lan === null ? [] : phones(config.siteUrl, caFile)),
    '',
    ...(demo ? demonstration(demo, resolve(demoFile)) : []),
    ...(demo ? ['Try it in another terminal:', '', ...curlLines(config, caFile, demo), ''] : []),
    ...(setupLink === null ? [] : setup(setupLink, demo !== null)),
    ...(config.lan === null ? [] : qrCode(setupLink ?? config.siteUrl + CA_PATH)),
    ...(notes.length === 0 ? [] : [...notes, '']),
    'Ctrl-C ends it.',
  ];
  return `${lines.join('\n')}\n`;
}

function phones(siteUrl: string, caFile: string): string[] {
  const { fingerprint256 } = new X509Certificate(readFileSync(caFile));
  return [
    `  Phones       ${siteUrl}${CA_PATH} (how they come to trust the CA file)`,
    `  CA SHA-256   ${fingerprint256}`,
  ];
}

function qrCode(address: string): string[] {
  return [`To open ${address.replace(/#.*/, '')} on a phone:`, '', renderUnicodeCompact(address, { border: 2 }), ''];
}

function setup(link: string, hasDemo: boolean): string[] {
  return [
    `${hasDemo ? 'Look around, or start your own account' : 'Create your account'}. The link works once, within an hour; waybridge setup-link prints another:`,
    '',
    `  ${link}`,
    '',
  ];
}

function demonstration(demo: DemoKeys, file: string): string[] {
  return [
    `Demonstration account, with simulated trips of ${demo.vehicles.length} vehicles. Its keys, also in ${file}:`,
    '',
    `  API key        ${demo.api_key}`,
    `  Owner          ${demo.owner_email}  password ${demo.owner_password}`,
    `  App            client_id ${demo.client_id}  client_secret ${demo.client_secret}`,
    `  Access token   ${demo.access_token}  (valid for ${GOOD_FOR_HOURS} hours; the next start prints a new one)`,
    ...demo.vehicles.map(({ key, nickname }) => `  Vehicle        ${key}  ${nickname}`),
    '',
  ];
}

/** Three calls that work when pasted: the account API, GraphQL, and the special-purpose token endpoint. */
function curlLines(
  { baseUrl, graphqlUrl, authUrl }: RunningService['config'],
  caFile: string | null,
  demo: DemoKeys,
): string[] {
  const curl = caFile === null ? 'curl' : `curl --cacert ${quote(resolve(caFile))}`;
  const apiKey = `-H ${quote(`Service-Api-Key: ${demo.api_key}`)}`;
  const json = `-H 'Content-Type: application/json'`;
  const vehicle = demo.vehicles[0]?.key ?? '';
  const query = `{ trips(vehicle_key: ${JSON.stringify(vehicle)}, first: 3) { nodes { key distance_meters start_point { timestamp } } } }`;
  const request = {
    client_id: demo.client_id,
    client_secret: demo.client_secret,
    sub: `vehicle:${vehicle}`,
    aud: 'https://www.example.com',
    roles: TRIP_TOKEN_ROLES,
    scope: 'loc-past',
  };
  return [
    `${curl} ${apiKey} ${quote(`${baseUrl}/devices`)}`,
    `${curl} ${apiKey} ${json} -d ${quote(JSON.stringify({ query }))} ${quote(graphqlUrl)}`,
    `${curl} -H ${quote(`Authorization: bearer ${demo.access_token}`)} ${json} -d ${quote(JSON.stringify(request))} ${quote(`${authUrl}/api/special-purpose/v1/token`)}`,
  ];
}
