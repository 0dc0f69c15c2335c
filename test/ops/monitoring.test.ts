import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';

import { unrestricted } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { positionsRejected, type RejectedPositions } from '../../tracking/recording/note-rejections.ts';
import { type RecordedPositions, positionsRecorded } from '../../tracking/ingest/record-sent.ts';
import { type Attempt, notificationAttempted } from '../../notifying/webhooks/attempt.ts';
import { type AskedCache, cacheAsked } from '../../models/stamped-cache.ts';
import { createLog } from '../../http/observing/logs.ts';
import { readConfig } from '../../server/configuration/config.ts';
import { databaseMetrics } from '../../server/database/database-metrics.ts';
import { type AnsweredOperation, operationAnswered } from '../../graphql/endpoint/graphql-server.ts';
import { serviceMetrics } from '../../server/service/service-metrics.ts';
import { scheduledBackups } from '../../server/service/scheduled-backups.ts';
import { useDatabase, testService } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../ops', path), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly summary: string; readonly description: string };
    }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const rules = (load(read('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('grafana/waybridge.json')) as Dashboard;
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];
/** A metric of Prometheus itself, and labels that it adds. */
const OF_PROMETHEUS = { metric: 'up', labels: ['job', 'instance', 'le'] };

useDatabase();

/** Names of the metrics that the service exports, and of their labels. */
const exported = { kinds: [] as string[], metrics: new Set<string>(), labels: new Set(OF_PROMETHEUS.labels) };

beforeAll(async () => {
  const config = readConfig({ BACKUP_DIR: 'backups' });
  const measured = serviceMetrics(testService);
  operationAnswered.publish({
    operation: 'other',
    type: 'query',
    outcome: 'answered',
    seconds: 0.1,
  } satisfies AnsweredOperation);
  positionsRecorded.publish({ accepted: 1, duplicates: 0, lags: [1] } satisfies RecordedPositions);
  const rejected = { account_key: '', device_key: null, serial: null, detail: '', sample: null } as const;
  positionsRejected.publish({ ...rejected, reason: 'stale', path: 'batch', count: 1 } satisfies RejectedPositions);
  cacheAsked.publish({ cache: 'content', isHit: true } satisfies AskedCache);
  notificationAttempted.publish({ outcome: 'received', duration_ms: 10 } satisfies Partial<Attempt>);
  const metrics = [
    ...scheduledBackups(config, createLog('silent')).metrics,
    measured.metrics,
    databaseMetrics(testService),
  ];
  await DeviceStore.countDocuments(unrestricted(testService));
  const app = await openHost([], { metrics });
  await app.inject('/healthz');
  const { body } = await app.inject('/metrics');
  await app.close();
  await measured.close();
  for (const [, name = '', type] of body.matchAll(/^# TYPE (\w+) (\w+)/gm)) {
    exported.kinds.push(name);
    const series = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const ending of series) exported.metrics.add(name + ending);
  }
  for (const [, name = ''] of body.matchAll(/[{,](\w+)="/g)) exported.labels.add(name);
});

describe.each(expressions)('%s: %s', (_, expression) => {
  const outsideOfTexts = expression.replaceAll(/"[^"]*"/g, '""');

  test('reads metrics that the service exports', () => {
    const names = outsideOfTexts.match(/\b[a-z]+_\w+(?=[{[\s)]|$)|\bup\b/g) ?? [];
    const metrics = names.filter((name) => name !== OF_PROMETHEUS.metric && name !== '$__rate_interval');
    expect(names).not.toEqual([]);
    expect(metrics.filter((name) => !exported.metrics.has(name))).toEqual([]);
  });

  test('uses labels that they have', () => {
    const selected = [...outsideOfTexts.matchAll(/[{,]\s*(\w+)=/g)].map(([, name = '']) => name);
    const grouped = [...outsideOfTexts.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
    expect([...selected, ...grouped].filter((name) => !exported.labels.has(name))).toEqual([]);
  });
});

test('docs/observing.md lists the metrics of the service, with their labels', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/observing.md'), 'utf8');
  const rows = [...document.matchAll(/^\| `(\w+)` \| ([^|]*)\|/gm)];
  const ofService = exported.kinds.filter((name) => !/^(process|nodejs)_/.test(name));
  expect(rows.map(([, name]) => name).sort()).toEqual(ofService.sort());
  const labels = rows.flatMap(([, , list = '']) => [...list.matchAll(/`(\w+)`/g)].map(([, label = '']) => label));
  expect(labels.filter((label) => !exported.labels.has(label))).toEqual([]);
});

test('an alert says what is wrong, and what to do', () => {
  expect(rules.length).toBeGreaterThan(5);
  for (const { annotations } of rules) {
    expect(annotations).toEqual({ summary: expect.any(String), description: expect.stringMatching(/\.$/) });
  }
});
