import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { expect, test } from 'vitest';

import { ask } from '../../clients/service-client.ts';
import { demoFolder } from '../../services/demo-folder.ts';
import { askCommand } from '../../processes/run-command.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';

interface Span {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: SpanStatusCode };
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string | null;
}

const SDK = pathToFileURL(join(import.meta.dirname, '../../services/register-tracing.mjs')).href;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

test('an OpenTelemetry SDK that the operator imports gets the spans of request, operation and database commands', async () => {
  const DATA_DIR = await demoFolder();
  const SPANS_FILE = join(DATA_DIR, 'spans.ndjson');
  const service = await serveProcess({ DATA_DIR, SPANS_FILE, NODE_OPTIONS: `--import ${SDK}` });
  const client = { port: service.port, ca: await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8') };
  const keys = JSON.parse(await readFile(join(DATA_DIR, 'demo.json'), 'utf8'));
  const owner = { 'Service-Api-Key': keys.api_key, traceparent: `00-${TRACE}-${PARENT}-01` };
  const { devices } = await ask(client, '/api/v2/devices?q=DEMO-1001', { headers: owner });
  const [device] = devices as { key: string }[];
  const { device_key_secret: deviceKey } = await askCommand(
    ['device-key', 'add', '--device', device?.key ?? ''],
    service.settings,
  );
  const point = { point: { lat: 53.0758, lon: 8.8072 }, timestamp: new Date().toISOString().replace(/\..*/, '+00:00') };
  const authorization = `Bearer ${deviceKey}`;
  await ask(client, '/api/v2/ingest', { headers: { authorization }, body: { points: [point] } });
  await ask(client, `/api/v2/vehicle/${keys.vehicles[0].key}`, { headers: owner });
  const query = 'query NAME_OF_A_CLIENT { trips(first: 1) { nodes { key } } }';
  await ask(client, '/graphql', { headers: owner, body: { query } });
  await ask(client, '/wp-json/wp/v2/posts');
  await service.end();

  const lines = (await readFile(SPANS_FILE, 'utf8')).trimEnd();
  const spans = lines.split('\n').map((line): Span => JSON.parse(line));
  const named = (name: string) => spans.find((span) => span.name === name);
  const above = (span: Span | undefined) => spans.find(({ spanId }) => spanId === span?.parent);
  /** Names of a span and of all above it. */
  const path = (span: Span | undefined): string[] => (span ? [...path(above(span)), span.name] : []);

  const request = named('GET /api/v2/devices');
  expect(request).toMatchObject({ kind: SpanKind.SERVER, traceId: TRACE, parent: PARENT });
  expect(request?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/v2/devices',
    'http.response.status_code': 200,
    'url.scheme': 'https',
    'waybridge.request_id': expect.any(String),
  });
  const paths = spans.map(path);
  expect(paths).toContainEqual(['GET /api/v2/devices', 'query devices', 'find devices']);
  expect(paths).toContainEqual(['POST /api/v2/ingest', 'mutation ingest', expect.stringMatching(/ devices$/)]);
  expect(paths).toContainEqual(['POST /graphql', 'query other', expect.stringMatching(/ trips$/)]);
  expect(paths).toContainEqual(['GET /wp-json/*', 'query posts']);
  const ofTrace = spans.filter(({ traceId }) => traceId === TRACE);
  expect(ofTrace.map(({ name }) => name)).toContain('GET /api/v2/vehicle/:key');
  expect(spans.filter(({ status }) => status.code === SpanStatusCode.ERROR)).toEqual([]);
  const { api_key, account_key, vehicles } = keys;
  const hidden = [
    api_key,
    account_key,
    vehicles[0].key,
    device?.key,
    deviceKey,
    'DEMO-1001',
    '53.07',
    'NAME_OF_A_CLIENT',
  ];
  for (const value of hidden) expect(lines).not.toContain(value);
});
