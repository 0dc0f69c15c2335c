import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCommand } from '../../services/run-command.ts';

/** Output of earlier commands, by member, for later ones to name. */
const known: Record<string, string> = {};
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  await writeFile(join(folder, 'trip.gpx'), gpx());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const KEY = expect.stringMatching(/^[A-Za-z0-9_-]{22}$/);

/** Every command with what `--json` prints; `$member` stands for what a command before has printed. */
const COMMANDS: [command: string, shape: Record<string, unknown>, stdin?: string][] = [
  [
    'account create --nickname Bakery --email Ada@Example.com --password-stdin',
    { account_key: KEY, owner_key: KEY, api_key: expect.stringMatching(/^wb_key_[\w-]{43}$/) },
    'rye bread at dawn\n',
  ],
  ['account create --nickname Rival --plan basic', { account_key: KEY, owner_key: KEY, api_key: expect.any(String) }],
  ['group add --account $account_key --name North', { group_key: KEY }],
  ['group add --account $account_key --name Harbour --parent $group_key', { group_key: KEY }],
  ['group update --group $group_key --name Port --active false', { group_key: expect.any(String) }],
  [
    'user add --account $account_key --email bob@example.com --password-stdin --group $group_key',
    { user_key: KEY },
    'rye bread at dawn',
  ],
  ['user set-password --user $user_key --password-stdin --revoke-grants', { user_key: KEY }, 'oats and barley, milk\n'],
  [
    'user reset-link --user $user_key',
    {
      reset_link: expect.stringMatching(/^https:\/\/localhost:8443\/security\/reset\?token=wb_reset_[\w-]{43}$/),
      email: 'bob@example.com',
      expires: expect.stringMatching(/\+00:00$/),
    },
  ],
  ['group update --group $group_key --parent none', { group_key: expect.any(String) }],
  ['user update --user $user_key --role viewer --first-name Bob', { user_key: KEY }],
  [
    'user list --account $account_key',
    {
      users: [
        expect.objectContaining({ email: 'Ada@Example.com', account_role: 'administrator' }),
        {
          user_key: KEY,
          email: 'bob@example.com',
          first_name: 'Bob',
          last_name: null,
          account_role: 'viewer',
          group_keys: [KEY],
          disabled: false,
        },
      ],
    },
  ],
  ['user disable --user $user_key', { user_key: KEY }],
  ['user enable --user $user_key --email rob@example.com --revoke-grants', { user_key: KEY, email: 'rob@example.com' }],
  [
    'audit list --account $account_key --limit 1',
    {
      events: [
        {
          key: KEY,
          kind: 'user_enabled',
          time: expect.stringMatching(/\+00:00$/),
          count: 1,
          actor: 'operator',
          user_key: KEY,
          subject: null,
          network: null,
          browser: null,
        },
      ],
      next_cursor: KEY,
    },
  ],
  ['api-key issue --account $account_key', { api_key: expect.any(String), id: KEY }],
  ['api-key revoke --id $id', { id: KEY, revoked: true }],
  ['vehicle add --account $account_key --nickname Van --group $group_key', { vehicle_key: KEY }],
  ['vehicle update --vehicle $vehicle_key --group $group_key', { vehicle_key: KEY }],
  ['subscription add --account $account_key --plan Fleet', { subscription_key: KEY }],
  [
    'device add --account $account_key --serial WB-1 --vehicle $vehicle_key --group $group_key --status pending --subscription $subscription_key',
    { device_key: KEY },
  ],
  ['device-key issue --device $device_key', { device_key_secret: expect.stringMatching(/^wb_device_/), id: KEY }],
  [
    'device-key list --device $device_key',
    { keys: [{ id: KEY, created: expect.any(String), last_used: null, revoked: null }] },
  ],
  ['device-key revoke --id $id', { id: KEY, revoked: true }],
  [
    'forwarder-key issue --account $account_key --create-devices',
    { forwarder_key_secret: expect.stringMatching(/^wb_forwarder_/), id: KEY },
  ],
  [
    'forwarder-key list --account $account_key',
    { keys: [{ id: KEY, creates_devices: true, created: expect.any(String), last_used: null, revoked: null }] },
  ],
  ['forwarder-key revoke --id $id', { id: KEY, revoked: true }],
  [
    'app register --account $account_key --name Planner --redirect-uri https://a.example/1 https://a.example/2 --scope account.read',
    { client_id: KEY, client_secret: expect.any(String) },
  ],
  [
    'trips import $folder/trip.gpx --vehicle $vehicle_key',
    {
      trips: [
        {
          key: KEY,
          file: expect.stringMatching(/trip\.gpx$/),
          vehicle_key: KEY,
          points: 3,
          started: '2026-03-01T12:00:00+00:00',
          ended: '2026-03-01T12:00:20+00:00',
          distance_meters: expect.closeTo(222.4, 0),
          created: true,
        },
      ],
      trip_count: 1,
      created_count: 1,
      point_count: 3,
      vehicles: [],
      vehicle_count: 0,
      faults: [],
      fault_totals: {},
      failures: [],
    },
  ],
  [
    'token issue --vehicle $vehicle_key --origin https://page.example/some/path --scope loc-past-gte:2026-03-01',
    { token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/), expires_in: 3600, token_type: 'Bearer' },
  ],
  ['oauth-token issue --app $client_id --user $owner_key --scope account.read', { access_token: expect.any(String) }],
];

describe('--json, of commands that name what earlier ones have printed', { shuffle: false }, () => {
  test.each(COMMANDS)('%s', async (command, shape, stdin) => {
    const args = command.split(' ').map((word) => word.replace(/\$(\w+)/, (_, name) => printed(name)));
    const { code, stdout, stderr } = await runCommand([...args, '--json'], settings(), stdin);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const answer = JSON.parse(stdout);
    expect(answer).toEqual(shape);
    if (!command.includes('Rival')) Object.assign(known, answer);
  });

  test('importing again makes no second trip', async () => {
    const args = ['trips', 'import', join(folder, 'trip.gpx'), '--vehicle', printed('vehicle_key'), '--json'];
    const { stdout } = await runCommand(args, settings());
    expect(JSON.parse(stdout)).toMatchObject({ trips: [{ created: false }] });
  });

  test('a file that breaks off is named with its place, and the others are imported', async () => {
    const broken = join(folder, 'broken.gpx');
    await writeFile(broken, gpx().slice(0, -20));
    const files = [broken, join(folder, 'trip.gpx')];
    const args = ['trips', 'import', ...files, '--vehicle', printed('vehicle_key'), '--json'];
    const { code, stdout, stderr } = await runCommand(args, settings());
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\S+broken\.gpx:\d+:\d+: /);
    const { trips, failures } = JSON.parse(stdout);
    expect(trips).toHaveLength(1);
    expect(failures).toEqual([
      { file: broken, line: expect.any(Number), column: expect.any(Number), reason: expect.any(String) },
    ]);
  });

  test('without --json it tells people', async () => {
    const { stdout } = await runCommand(['vehicle', 'update', '--vehicle', printed('vehicle_key')], settings());
    expect(stdout).toBe(`Vehicle changed\n  vehicle_key  ${printed('vehicle_key')}\n`);
  });
});

function settings() {
  return { DATA_DIR: join(folder, 'data') };
}

function printed(name: string): string {
  const value = name === 'folder' ? folder : known[name];
  if (value === undefined) throw new Error(`No command before has printed ${name}`);
  return value;
}

/** Three positions in ten seconds each, a thousandth of a degree of latitude apart. */
function gpx(): string {
  const points = [0, 1, 2].map(
    (at) => `<trkpt lat="52.50${at}" lon="13.4"><time>2026-03-01T12:00:${at}0Z</time></trkpt>`,
  );
  return `<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="test"><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`;
}
