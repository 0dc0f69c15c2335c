import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../../embedded/embedded-database.ts';
import { runCommand } from '../../processes/run-command.ts';

/** Keys of records by the names of their resources, for later commands to name. */
const known: Record<string, string> = {};
let folder: string;
/** A database that stays open, as that of a service does: to open it takes longer than the commands. */
let database: EmbeddedDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  await writeFile(join(folder, 'trip.gpx'), gpx());
  database = await startEmbeddedDatabase({ file: join(folder, 'waybridge.db') });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const KEY = expect.stringMatching(/^[A-Za-z0-9_-]{22}$/);
const ANY = expect.anything();
/** Billing of an account of which nothing is known. */
const NO_BILLING = {
  billing_method: null,
  card_type: null,
  expiration_month: null,
  expiration_year: null,
  last_four: null,
  updated: expect.any(String),
};
const CURSOR = expect.stringMatching(/^[\w-]{24,150}$/);
const LAST_PAGE = { end_cursor: expect.toBeOneOf([CURSOR, null]), has_next_page: false };

/** A record as the API shows it, with these members. */
function record(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return expect.objectContaining({ key: ANY, ...members });
}

/** Every command with what `--json` prints; `$name` stands for the key of the last one. */
const COMMANDS: [command: string, shape: Record<string, unknown>, stdin?: string][] = [
  [
    'setup-link',
    {
      setup_link: expect.stringMatching(/^https:\/\/localhost:8443\/start#[\w-]{43}$/),
      expires: expect.stringMatching(/\+00:00$/),
    },
  ],
  [
    'account add --nickname Bakery --email Ada@Example.com --password-stdin',
    expect.objectContaining({
      key: KEY,
      nickname: 'Bakery',
      owner_key: KEY,
      user_count: 1,
      api_key: expect.stringMatching(/^wb_key_[\w-]{43}$/),
    }),
    'rye bread at dawn\n',
  ],
  [
    'account add --nickname Rival --plan basic --email bob@example.com --password-stdin',
    expect.objectContaining({ key: KEY, api_key: expect.any(String) }),
    'rye bread at dawn\n',
  ],
  ['account list', { nodes: [record({ nickname: 'Bakery' }), record({ nickname: 'Rival' })], page_info: LAST_PAGE }],
  ['account list --email ada@example.com', { nodes: [record({ nickname: 'Bakery' })], page_info: LAST_PAGE }],
  ['account list --first 1', { nodes: [record({})], page_info: { end_cursor: CURSOR, has_next_page: true } }],
  ['account find --email ada@example.COM', record({ nickname: 'Bakery', user_key: KEY })],
  ['account update $account --city Bremen --clear street', record({ city: 'Bremen', street: '' })],
  ['account show $account', record({ city: 'Bremen' })],
  [
    'account update-retention $account --positions-days 90 --trips remove',
    record({
      retention: {
        positions_days: null,
        trips: 'keep_facts',
        pending: { positions_days: 90, trips: 'remove', effective: expect.any(String) },
      },
    }),
  ],
  ['account update-retention $account --clear positions-days', record({ retention: null })],
  [
    'account update-billing $account --billing-method card --last-four 4242 --expiration-month 5',
    record({ billing_info: { ...NO_BILLING, billing_method: 'card', last_four: '4242', expiration_month: 5 } }),
  ],
  [
    'account update-billing $account --card-type Visa --clear expiration-month',
    record({ billing_info: { ...NO_BILLING, billing_method: 'card', last_four: '4242', card_type: 'Visa' } }),
  ],
  [
    'account update-partner $account --partner-key north --partner-name North --tier-key gold --tier-name Gold',
    record({ partner_key: 'north', partner_tier: { key: 'gold', name: 'Gold', partner_key: 'north' } }),
  ],
  ['account update-partner $account --clear tier-key tier-name', record({ partner_name: 'North', partner_tier: null })],
  ['group add --account $account --name North', record({ name: 'North', tree_depth: 2 })],
  ['group add --account $account --name Harbour --parent $group', record({ name: 'Harbour', tree_depth: 3 })],
  ['group list --account $account', { nodes: [record({ children: [record({ name: 'Harbour', children: [] })] })] }],
  ['group update $group --name Port --active false', record({ name: 'Port', active: false })],
  [
    'group list --account $account --show-inactive',
    { nodes: [record({ active: true, children: [record({ active: false })] })] },
  ],
  [
    'user add --account $account --email bob@example.com --password-stdin --group $group',
    record({
      email: 'bob@example.com',
      account_role: 'viewer',
      group_keys: [KEY],
      groups: [{ key: KEY, name: 'Port' }],
    }),
    'rye bread at dawn',
  ],
  [
    'account list --email bob@example.com',
    { nodes: [record({ nickname: 'Bakery' }), record({ nickname: 'Rival' })], page_info: LAST_PAGE },
  ],
  ['user set-password $user --password-stdin --revoke-grants', { key: KEY }, 'oats and barley, milk\n'],
  [
    'user reset-link $user',
    {
      reset_link: expect.stringMatching(/^https:\/\/localhost:8443\/security\/reset\?token=wb_reset_[\w-]{43}$/),
      email: 'bob@example.com',
      account_key: KEY,
      account_nickname: 'Bakery',
      expires: expect.stringMatching(/\+00:00$/),
    },
  ],
  ['group update $group --clear parent --active true', record({ tree_depth: 2, active: true })],
  ['user update $user --role driver --first-name Bob', record({ account_role: 'driver', first_name: 'Bob' })],
  [
    'user list --account $account',
    { nodes: [record({ email: 'Ada@Example.com' }), record({ first_name: 'Bob' })], page_info: LAST_PAGE },
  ],
  ['user disable $user', { key: KEY, disabled: true }],
  ['user enable $user --email rob@example.com --revoke-grants', { key: KEY, email: 'rob@example.com' }],
  ['user show $user', record({ email: 'rob@example.com', disabled: false })],
  [
    'audit list --account $account --first 1',
    {
      nodes: [
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
      page_info: { end_cursor: CURSOR, has_next_page: true },
    },
  ],
  ['user remove $user', { key: KEY, deleted: true }],
  ['user restore $user', record({ email: 'rob@example.com' })],
  [
    'user add --account $account --email eve@example.com',
    record({ invitation_url: expect.stringMatching(/^https:\/\/localhost:8443\/security\/reset\?token=/) }),
  ],
  ['user invite $user', record({ invitation_url: expect.any(String) })],
  ['api-key add --account $account --name Books', { key: KEY, api_key: expect.stringMatching(/^wb_key_/) }],
  ['api-key show $api_key', record({ name: 'Books', revoked: null })],
  ['api-key update $api_key --name Ledger', record({ name: 'Ledger' })],
  ['api-key update $api_key --clear name', record({ name: null })],
  ['api-key remove $api_key', { key: KEY, deleted: true }],
  [
    'api-key list --account $account',
    { nodes: [record({ revoked: null }), record({ revoked: expect.any(String) })], page_info: LAST_PAGE },
  ],
  [
    'vehicle add --account $account --nickname Van --group $group',
    record({ nickname: 'Van', groups: [{ key: KEY, name: 'Port' }], tags: [] }),
  ],
  [
    'vehicle update $vehicle --year 2024 --vin WVWZZZ1JZXW000001 --clear group',
    record({ year: 2024, vin: 'WVWZZZ1JZXW000001', group_keys: [] }),
  ],
  ['vehicle remove $vehicle', { key: KEY, deleted: true }],
  ['vehicle restore $vehicle', record({ nickname: 'Van' })],
  ['vehicle list --account $account --query va', { nodes: [record({ nickname: 'Van' })], page_info: LAST_PAGE }],
  ['vehicle nearby --account $account --lat 53 --lon 8.8', { nodes: [] }],
  ['subscription add --account $account --plan Fleet', record({ quantity: 0, status: 'active', ends_at: null })],
  [
    'subscription update $subscription --plan Yard --billing-period year --status canceled --ends-at 2027-01-01',
    record({
      plan: { key: 'yard', name: 'Yard', billing_period: 'year' },
      ends_at: '2027-01-01T00:00:00+00:00',
      status: 'canceled',
    }),
  ],
  ['subscription update $subscription --status active', record({ status: 'active', ends_at: null })],
  [
    'subscription list --account $account',
    {
      nodes: [record({ status: 'active' }), record({ plan: expect.objectContaining({ name: 'Yard' }) })],
      page_info: LAST_PAGE,
    },
  ],
  [
    'device add --account $account --serial WB-1 --vehicle $vehicle --group $group --status pending --subscription $subscription',
    record({ serial: 'WB-1', status: 'pending' }),
  ],
  ['subscription show $subscription', record({ quantity: 1 })],
  ['subscription remove $subscription', { key: KEY, deleted: true }],
  ['device update $device --subscription-status canceled --clear vehicle', record({ vehicle_key: null })],
  ['device update $device --vehicle $vehicle', record({ status: 'installed', vehicle_key: KEY })],
  ['device list --account $account', { nodes: [record({ serial: 'WB-1' })], page_info: LAST_PAGE }],
  ['device remove $device', { key: KEY, deleted: true }],
  ['device restore $device', record({ status: 'installed' })],
  ['device show $device', record({ serial: 'WB-1' })],
  [
    'device-key add --device $device --name Spare',
    { key: KEY, device_key_secret: expect.stringMatching(/^wb_device_/) },
  ],
  [
    'device-key list --device $device',
    {
      nodes: [{ key: KEY, name: 'Spare', created: ANY, last_used: null, revoked: null, expires: null }],
      page_info: LAST_PAGE,
    },
  ],
  ['device-key update $device_key --name Main', record({ name: 'Main' })],
  ['device-key show $device_key', record({ name: 'Main', revoked: null })],
  ['device-key remove $device_key', { key: KEY, deleted: true }],
  [
    'forwarder-key add --account $account --create-devices',
    { key: KEY, forwarder_key_secret: expect.stringMatching(/^wb_forwarder_/) },
  ],
  [
    'forwarder-key list --account $account',
    { nodes: [record({ creates_devices: true, revoked: null })], page_info: LAST_PAGE },
  ],
  ['forwarder-key update $forwarder_key --name Traccar', record({ name: 'Traccar', creates_devices: true })],
  ['forwarder-key show $forwarder_key', record({ name: 'Traccar', creates_devices: true })],
  ['forwarder-key remove $forwarder_key', { key: KEY, deleted: true }],
  ['tag add --account $account --type Car --value Winter --color #aa3300', record({ type: 'Car', color: '#aa3300' })],
  ['tag update $tag --value Summer --clear color', record({ value: 'Summer', color: null })],
  ['tag apply $tag --action add --entity $vehicle', record({ value: 'Summer' })],
  ['vehicle show $vehicle', record({ tags: [{ key: KEY, value: 'Summer', color: null }] })],
  ['tag show $tag', record({ value: 'Summer' })],
  ['tag remove $tag', { key: KEY, deleted: true }],
  ['tag list --account $account --type Car', { nodes: [], page_info: LAST_PAGE }],
  [
    'group apply --account $account --action add --group $group --member $vehicle',
    { nodes: [record({ member_counts: { car: 1, user: 1 } })] },
  ],
  ['group show $group', record({ name: 'Port' })],
  ['group remove $group', { key: KEY, deleted: true }],
  [
    'place add --account $account --name Depot --point 53.0758,8.8072 --radius 300 --active-weekday 0 1',
    record({ point: { lat: 53.0758, lon: 8.8072 }, radius: 300, active_weekdays: [0, 1] }),
  ],
  [
    'place update $place --polygon 53,8 53,9 54,9 --notifying-arrival false',
    record({
      point: null,
      polygon: [expect.anything(), { lat: 53, lon: 9 }, expect.anything()],
      notifying_arrival: false,
    }),
  ],
  ['place list --account $account', { nodes: [record({ name: 'Depot' })], page_info: LAST_PAGE }],
  ['place show $place', record({ name: 'Depot' })],
  ['visit list --account $account --place $place', { nodes: [], page_info: LAST_PAGE }],
  ['place remove $place', { key: KEY, deleted: true }],
  [
    'privacy-zone add --account $account --lat 53.0758 --lon 8.8072 --radius 300',
    record({ point: { lat: 53.0758, lon: 8.8072 }, trips: 'cut' }),
  ],
  ['privacy-zone list --account $account', { nodes: [record({ radius: 300 })], page_info: LAST_PAGE }],
  [
    'privacy-zone update $privacy_zone --lat 53 --lon 8.8072 --trips hide',
    record({ point: { lat: 53, lon: 8.8072 }, trips: 'hide' }),
  ],
  ['privacy-zone update $privacy_zone --name Home', record({ name: 'Home', radius: 300 })],
  ['privacy-zone show $privacy_zone', record({ name: 'Home', trips: 'hide' })],
  ['privacy-zone remove $privacy_zone', { key: KEY, deleted: true }],
  [
    'app add --account $account --name Planner --redirect-uri https://a.example/1 https://a.example/2 --scope account.read',
    expect.objectContaining({ client_id: KEY, name: 'Planner', client_secret: expect.any(String) }),
  ],
  ['app show $app', expect.objectContaining({ name: 'Planner', scopes: ['account.read'] })],
  [
    'app update $app --require-pkce false --redirect-uri https://a.example/1',
    expect.objectContaining({ name: 'Planner', requires_pkce: false, redirect_uris: ['https://a.example/1'] }),
  ],
  ['app approve $app --scope billing.read', { client_id: KEY, scopes: ['account.read', 'billing.read'] }],
  ['app rotate-secret $app', { client_id: KEY, client_secret: expect.any(String) }],
  [
    'app list --account $account',
    {
      nodes: [expect.objectContaining({ name: 'Planner', requires_pkce: false, reviewed: expect.any(String) })],
      page_info: LAST_PAGE,
    },
  ],
  [
    'trips import $folder/trip.gpx --vehicle $vehicle',
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
    'token issue --vehicle $vehicle --origin https://page.example/some/path --scope loc-past-gte:2026-03-01',
    { token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/), expires_in: 3600, token_type: 'Bearer' },
  ],
  [
    'trips list --account $account --vehicle $vehicle --newest-first',
    { nodes: [record({ point_count: 3, vehicle: { key: KEY, nickname: 'Van' } })], page_info: LAST_PAGE },
  ],
  [
    'vehicle stays $vehicle --started-after 2026-03-01',
    {
      nodes: [record({ start_timestamp: '2026-03-01T12:00:20+00:00', end_timestamp: null, moved_unseen: false })],
      page_info: LAST_PAGE,
    },
  ],
  ['trips show $trips', record({ start_point: expect.objectContaining({ timestamp: '2026-03-01T12:00:00+00:00' }) })],
  ['trips update $trips --user $owner', record({ user_key: KEY })],
  ['share add --account $account --trip $trips --ends-with-trip', record({ ends_with_trip: true })],
  ['share update $share --ends-with-trip false', record({ ends_with_trip: false })],
  ['trips points $trips --first 2', { nodes: [ANY, ANY], page_info: { end_cursor: ANY, has_next_page: true } }],
  [
    'event list --account $account --event trip_start',
    { nodes: [record({ context: expect.objectContaining({ vehicle: { key: KEY } }) })], page_info: LAST_PAGE },
  ],
  ['event show $event --account $account', record({ event: 'trip_start' })],
  ['oauth-token issue --app $app --user $owner --scope account.read', { access_token: ANY }],
  ['grant list --account $account', { nodes: [record({ app_name: 'Planner' }), ANY], page_info: LAST_PAGE }],
  ['grant show $grant', record({ app_name: 'Planner', scopes: ['account.read'] })],
  ['grant remove $grant', { key: expect.any(String), deleted: true }],
  [
    'content user add --username mara --email mara@example.com --role author',
    { user_id: 1, username: 'mara', application_password: expect.any(String) },
  ],
  [
    'content user add --username ada --email a@example.com --role editor',
    expect.objectContaining({ user_id: 2, username: 'ada' }),
  ],
  [
    'content user update Mara --role editor --email m@example.com',
    expect.objectContaining({ user_id: 1, username: 'mara', email: 'm@example.com', roles: ['editor'] }),
  ],
  ['content user show mara', expect.objectContaining({ roles: ['editor'], application_passwords: [ANY] })],
  ['content user remove mara --reassign ada', { username: 'mara', deleted: true }],
  ['content front-page 0', { page_on_front: 0 }],
  ['content user list', { users: [expect.objectContaining({ username: 'ada' })] }],
  ['app remove $app', { client_id: KEY, deleted: true }],
  ['account remove $account', { key: KEY, deleted: true }],
  ['account list', { nodes: [record({ nickname: 'Rival' })], page_info: LAST_PAGE }],
  ['account restore $account', record({ nickname: 'Bakery' })],
];

describe('--json, of commands that name what earlier ones have printed', { shuffle: false }, () => {
  test.each(COMMANDS)('%s', async (command, shape, stdin) => {
    const args = command.split(' ').map((word) => word.replace(/\$(\w+)/, (_, name) => printed(name)));
    const { code, stdout, stderr } = await runCommand([...args, '--json'], settings(), stdin);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const answer = JSON.parse(stdout);
    expect(answer).toEqual(shape);
    keep(command, answer);
  });

  test('importing again makes no second trip', async () => {
    const args = ['trips', 'import', join(folder, 'trip.gpx'), '--vehicle', printed('vehicle'), '--json'];
    const { stdout } = await runCommand(args, settings());
    expect(JSON.parse(stdout)).toMatchObject({ trips: [{ created: false }] });
  });

  test('a file that breaks off is named with its place, and the others are imported', async () => {
    const broken = join(folder, 'broken.gpx');
    await writeFile(broken, gpx().slice(0, -20));
    const files = [broken, join(folder, 'trip.gpx')];
    const args = ['trips', 'import', ...files, '--vehicle', printed('vehicle'), '--json'];
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
    const { stdout } = await runCommand(['vehicle', 'update', printed('vehicle'), '--nickname', 'Lorry'], settings());
    expect(stdout).toMatch(new RegExp(`^Vehicle updated\\n  key +${printed('vehicle')}\\n  nickname +Lorry\\n`));
  });
});

/** Stores the key of a new record, or of a listed one, by the name of its resource: `api_key` for `api-key`. */
function keep(command: string, answer: Record<string, unknown>): void {
  const [resource = '', verb] = command.replaceAll('-', '_').split(' ');
  const [first] = [answer.nodes, answer.trips].flatMap((records) => (records as Record<string, unknown>[]) ?? []);
  const isFirst = known[resource] === undefined;
  const { key, client_id, owner_key } = verb === 'add' ? answer : isFirst ? (first ?? {}) : {};
  if (command.includes('Rival')) return;
  if (key ?? client_id) known[resource] = String(key ?? client_id);
  if (owner_key) known.owner = String(owner_key);
}

function settings() {
  return { DATA_DIR: join(folder, 'data'), MONGODB_URI: database.uri };
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
  return `<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="Waybridge"><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`;
}
