import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, test } from 'vitest';

import { readConfig, SETTINGS } from '../../server/configuration/config.ts';
import { fileVariable } from '../../server/configuration/given-setting.ts';
import { packageVersion } from '../../http/package-file.ts';
import { listen, testCertificate, testHost } from '../hosts/test-host.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { TypescriptFolder } from '../processes/typescript-folder.ts';
import { lastOf, readStages } from './dockerfile.ts';

const ROOT = join(import.meta.dirname, '../..');
const schema = YAML11_SCHEMA;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

type Variables = Readonly<Record<string, string>>;

interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Variables;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly user?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly scheme: string };
}

interface Pod {
  readonly securityContext: object;
  readonly terminationGracePeriodSeconds: number;
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
  readonly volumes: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
  readonly containers: readonly {
    readonly image: string;
    readonly args?: readonly string[];
    readonly envFrom: readonly object[];
    readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly startupProbe: Probe;
    readonly livenessProbe: Probe;
    readonly readinessProbe: Probe;
    readonly resources: object;
    readonly securityContext: object;
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  }[];
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Variables;
  readonly spec?: {
    readonly replicas?: number;
    readonly minAvailable?: number;
    readonly podSelector?: { readonly matchLabels: Variables };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly selector: Variables | { readonly matchLabels: Variables };
    readonly template?: { readonly metadata: { readonly labels: Variables }; readonly spec: Pod };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

const compose = load(read('compose.yaml'), { schema }) as Compose;
const manifestsOf = (name: string) => loadAll(read(`ops/kubernetes/${name}.yaml`), { schema }) as unknown as Manifest[];
const stages = readStages('Dockerfile');
const image = stages.at(-1) ?? { base: '', name: undefined, instructions: [] };
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

/** The errors of the compiler where manifests are constants of the types of Kubernetes: fields that it lacks are among them. */
async function faultsOf(manifests: readonly Manifest[]): Promise<string> {
  const typed = manifests.map((manifest, at) => {
    const { apiVersion, kind } = manifest;
    const file = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '');
    return `import type { ${kind} as Kind${at} } from 'kubernetes-types/${file}';
export const manifest${at}: Kind${at} = ${JSON.stringify(manifest, null, 1)};`;
  });
  const folder = await TypescriptFolder.with({ 'manifests.ts': typed.join('\n') });
  return folder.compile('manifests.ts');
}

/** Variables in lines or words `NAME=value`. */
function variablesIn(text: string): Variables {
  return Object.fromEntries(
    [...text.matchAll(/(?:^|(?<=\s))([A-Z_]+)=(\S*)/gm)].map(([, name, value]) => [name, value]),
  );
}

const unit = read('ops/systemd/waybridge.service');
/** Variables that each way to run the service sets. */
const ENVIRONMENTS: Readonly<Record<string, Variables>> = {
  Dockerfile: variablesIn(lastOf(image, 'ENV')),
  'ops/systemd/waybridge.env': variablesIn(read('ops/systemd/waybridge.env').replaceAll(/^#.*/gm, '')),
  ...Object.fromEntries(ours.map(([name, { environment = {} }]) => [`compose.yaml, ${name}`, environment])),
  ...Object.fromEntries(
    ['embedded', 'mongodb'].map((name) => [
      `ops/kubernetes/${name}.yaml`,
      manifestsOf(name).find(({ kind }) => kind === 'ConfigMap')?.data ?? {},
    ]),
  ),
};

describe('settings', () => {
  const secrets = Object.values(SETTINGS).filter(({ isSecret }) => isSecret);
  const files = new Set(secrets.map(fileVariable));
  const names = new Set<string>([...Object.values(SETTINGS).map(({ name }) => name), ...files]);

  test.each(Object.entries(ENVIRONMENTS))(
    'of %s are settings of the service, with values that it takes',
    (_, variables) => {
      expect(Object.keys(variables)).not.toEqual([]);
      expect(Object.keys(variables).filter((name) => !names.has(name))).toEqual([]);
      const withoutFiles = Object.entries(variables).filter(([name]) => !files.has(name));
      expect(() => readConfig(Object.fromEntries(withoutFiles))).not.toThrow();
    },
  );
});

describe('the image', () => {
  test('is made in stages, from versions that are named', () => {
    const known = new Set(stages.map(({ name }) => name));
    for (const { base } of stages) expect(base).toMatch(/^[\w./-]+:\d[\w.-]*$/);
    const copied = image.instructions.filter(({ name }) => name === 'COPY').map(({ text }) => text);
    expect(copied.map((text) => known.has(/^--from=(\S+)/.exec(text)?.[1]))).toEqual([true]);
    expect(stages.flatMap(({ instructions }) => instructions).filter(({ name }) => name === 'ADD')).toEqual([]);
  });

  test('runs as a user who is not root, and starts the service without a shell', () => {
    expect(lastOf(image, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect([lastOf(image, 'ENTRYPOINT'), lastOf(image, 'CMD')].map((text) => JSON.parse(text))).toEqual([
      ['waybridge'],
      ['serve', '--no-demo'],
    ]);
    expect(lastOf(image, 'EXPOSE')).toBe(ENVIRONMENTS.Dockerfile?.PORT);
    expect(JSON.parse(lastOf(image, 'VOLUME'))).toContain(ENVIRONMENTS.Dockerfile?.DATA_DIR);
  });

  test.each([
    ['healthy while the database answers', async () => undefined, 0],
    ['not healthy while it does not', () => Promise.reject(new Error('unreachable')), 1],
  ])('is %s', async (_, ping, code) => {
    const [, json = ''] = /CMD (\[.*)$/.exec(lastOf(image, 'HEALTHCHECK')) ?? [];
    const [, ...args] = JSON.parse(json) as string[];
    const { app } = await testHost([], { ping });
    const PORT = String(await listen(app));
    const ended = promisify(execFile)(process.execPath, args, { env: { PORT } });
    expect(
      await ended.then(
        () => 0,
        (error: { code: number }) => error.code,
      ),
    ).toBe(code);
  });

  test('is that of this version wherever it is named', () => {
    const manifests = ['embedded', 'mongodb', 'migrate'].map((name) => `ops/kubernetes/${name}.yaml`);
    const named = ['Dockerfile', 'compose.yaml', ...manifests].map((path) => [
      path,
      ...new Set(/(?<=\bwaybridge:)[\d.]+/g.exec(read(path))),
    ]);
    expect(named).toEqual(named.map(([path]) => [path, packageVersion()]));
  });
});

describe('compose.yaml', () => {
  test.each(Object.entries(compose.services))('confines %s', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(service.image).toMatch(/:\d/);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('starts the service alone, and with the profile two on a replica set behind a proxy', () => {
    const startedBy = (profile: string | null) =>
      Object.entries(compose.services)
        .filter(([, { profiles = [] }]) => (profile === null ? profiles.length === 0 : profiles.includes(profile)))
        .map(([name]) => name);
    expect(startedBy(null)).toEqual(['waybridge']);
    expect(startedBy('mongodb')).toEqual([
      ...['waybridge-1', 'waybridge-2', 'proxy', 'mongodb-1', 'mongodb-2', 'mongodb-3', 'mongodb-setup'],
    ]);
  });

  test('names only services, volumes and files that there are', () => {
    for (const { depends_on = {}, volumes = [] } of Object.values(compose.services)) {
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      const sources = volumes.map((volume) => volume.split(':')[0] ?? '');
      const missing = sources.filter((source) =>
        source.startsWith('./') ? !read(source) : !(source in compose.volumes),
      );
      expect(missing).toEqual([]);
    }
  });
});

describe.each(['embedded', 'mongodb'])('ops/kubernetes/%s.yaml', (name) => {
  const manifests = manifestsOf(name);
  const specOf = (kind: string) => manifests.find((manifest) => manifest.kind === kind)?.spec;
  const workload = specOf(name === 'embedded' ? 'StatefulSet' : 'Deployment');
  const labels = workload?.template?.metadata.labels;
  const pod = workload?.template?.spec;
  const [container] = pod?.containers ?? [];

  test('has the fields that Kubernetes takes, with values of their types, and no others', async () => {
    expect(await faultsOf(manifests)).toBe('');
  });

  test('asks for health where the service tells it', async () => {
    const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
    expect(probes.map((probe) => probe?.httpGet)).toEqual(
      ['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'https', scheme: 'HTTPS' })),
    );
    const { app } = await testHost([]);
    for (const probe of probes) expect((await app.inject(probe?.httpGet.path ?? '')).statusCode).toBe(200);
    expect(container?.ports).toEqual([{ name: 'https', containerPort: Number(lastOf(image, 'EXPOSE')) }]);
    expect(specOf('Service')?.ports?.map(({ targetPort }) => targetPort)).toEqual(['https']);
  });

  test('confines the container, and says what it needs', () => {
    const [uid, gid] = lastOf(image, 'USER').split(':').map(Number);
    expect(pod?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: gid,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container?.resources).toEqual({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  });

  test('selects the pods that it makes, and mounts volumes that there are', () => {
    const selectors = manifests.map(({ spec }) => spec?.selector).filter((selector) => selector !== undefined);
    for (const selector of selectors)
      expect('matchLabels' in selector ? selector.matchLabels : selector).toEqual(labels);
    const claims = workload?.volumeClaimTemplates?.map(({ metadata }) => metadata.name) ?? [];
    const volumes = [...claims, ...(pod?.volumes ?? []).map((volume) => volume.name)];
    expect(container?.volumeMounts.map((mount) => mount.name).sort()).toEqual(volumes.sort());
    expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(
      expect.arrayContaining(['/data', '/tmp']),
    );
  });
});

describe('ops/kubernetes/migrate.yaml', () => {
  const [job] = manifestsOf('migrate');
  const deployment = manifestsOf('mongodb').find(({ kind }) => kind === 'Deployment')?.spec?.template?.spec;
  const [migrating, serving] = [job?.spec?.template?.spec.containers[0], deployment?.containers[0]];

  test('runs the command of this version as the services run', async () => {
    expect(await faultsOf(manifestsOf('migrate'))).toBe('');
    expect(job?.metadata.name).toBe(`waybridge-migrate-${packageVersion()}`);
    expect(migrating).toMatchObject({ args: ['migrate'], image: serving?.image, envFrom: serving?.envFrom });
    expect(migrating?.securityContext).toEqual(serving?.securityContext);
  });
});

test('services are added by a metric that they have, to the Deployment that there is', async () => {
  const manifests = manifestsOf('autoscaler');
  expect(await faultsOf(manifests)).toBe('');
  const [scaler] = JSON.parse(JSON.stringify(manifests));
  const deployment = manifestsOf('mongodb').find(({ kind }) => kind === 'Deployment');
  const { apiVersion, kind, metadata } = deployment ?? {};
  expect(scaler.spec.scaleTargetRef).toEqual({ apiVersion, kind, name: metadata?.name });
  const { app } = await testHost([], { metricsToken: 'secret' });
  const metrics = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer secret' } });
  for (const { pods } of scaler.spec.metrics) expect(metrics.body).toMatch(new RegExp(`^${pods.metric.name} `, 'm'));
});

test('services on MongoDB are spread over zones, answer while they are taken out, and share their maps', () => {
  const manifests = manifestsOf('mongodb');
  const pod = manifests.find(({ kind }) => kind === 'Deployment')?.spec?.template?.spec;
  const [container] = pod?.containers ?? [];
  expect(pod?.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toEqual([
    'topology.kubernetes.io/zone',
    'kubernetes.io/hostname',
  ]);
  const MAX_STOP_SECONDS = 5;
  const sleep = container?.lifecycle?.preStop.sleep.seconds ?? 0;
  expect(sleep).toBeGreaterThan(0);
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(sleep + MAX_STOP_SECONDS);
  const claims = manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
  expect(pod?.volumes.flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? [])).toEqual(claims);
  const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy')?.spec;
  const labels = manifests.find(({ kind }) => kind === 'Deployment')?.spec?.template?.metadata.labels;
  expect(policy?.podSelector?.matchLabels).toEqual(labels);
});

test.each<[string, (manifest: string) => string]>([
  ['a field that it does not know', (manifest) => manifest.replace('"replicas"', '"replica"')],
  ['a value of another type', (manifest) => manifest.replace('"containerPort":8443', '"containerPort":"8443"')],
  ['a kind that it does not know', (manifest) => manifest.replace('"kind":"Deployment"', '"kind":"Deploy"')],
  ['a version that it does not know', (manifest) => manifest.replace('"apps/v1"', '"apps/v3"')],
])('a manifest with %s is told from one that Kubernetes takes', async (_, change) => {
  const given = JSON.stringify(manifestsOf('mongodb'));
  expect(change(given)).not.toBe(given);
  expect(await faultsOf(JSON.parse(change(given)))).toContain('error TS');
});

test('one service of a cluster stays while a node is drained, and the embedded database has one service', () => {
  const specs = ['embedded', 'mongodb'].flatMap((name) =>
    manifestsOf(name).map(({ kind, spec }) => [kind, spec] as const),
  );
  const { StatefulSet, Deployment, PodDisruptionBudget } = Object.fromEntries(specs);
  expect([StatefulSet?.replicas, Deployment?.replicas, PodDisruptionBudget?.minAvailable]).toEqual([1, 2, 1]);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasSystemd)(
  'systemd takes the unit, and finds little that it could harm (skipped without systemd)',
  async () => {
    const file = join(await temporaryFolder(), 'waybridge.service');
    // Verification looks for the program and the files of settings, which this machine does not have.
    await writeFile(file, unit.replace('/usr/bin/waybridge', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const security = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
      encoding: 'utf8',
    });
    expect(Number(/exposure level for \S+ ([\d.]+)/.exec(security)?.[1])).toBeLessThan(2);
  },
);

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

test.skipIf(!hasNginx)('nginx takes its configuration (skipped without nginx)', async () => {
  const folder = await temporaryFolder();
  const { cert, key } = await testCertificate();
  await mkdir(join(folder, 'logs'));
  await Promise.all([writeFile(join(folder, 'fullchain.pem'), cert), writeFile(join(folder, 'privkey.pem'), key)]);
  const site = read('ops/proxy/nginx.conf').replaceAll('/etc/letsencrypt/live/fleet.example.com', folder);
  await writeFile(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`,
  );
  const args = ['-t', '-q', '-p', folder, '-c', join(folder, 'nginx.conf')];
  const { status, stderr } = spawnSync('nginx', args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('proxies lead to the port of the service, under the names of its addresses', async () => {
  const { BASE_URL, AUTH_URL, SITE_URL, GRAPHQL_URL } = ENVIRONMENTS['ops/systemd/waybridge.env'] ?? {};
  const hosts = [...new Set([BASE_URL, AUTH_URL, SITE_URL, GRAPHQL_URL].map((url) => new URL(url ?? '').host))].sort();
  for (const file of ['Caddyfile', 'nginx.conf']) {
    const text = await readFile(join(ROOT, 'ops/proxy', file), 'utf8');
    expect([...new Set(text.match(/\b\w+\.example\.com(?!\/)/g))].sort(), file).toEqual(hosts);
    expect(text, file).toContain(`127.0.0.1:${SETTINGS.port.fallback}`);
  }
  const several = read('ops/proxy/several-servers.Caddyfile');
  expect([...new Set(several.match(/\b\w+\.example\.com/g))].sort()).toEqual(hosts);
  expect(several).toMatch(new RegExp(`reverse_proxy( [\\d.]+:${SETTINGS.port.fallback}){2} \\{`));
  expect(several).toContain('health_uri /readyz');
});
