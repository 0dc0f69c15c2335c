import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { rejectionFinding } from '../../../cli/doctor/database-findings.ts';
import { SCOPES } from '../../../auth/scopes/scope.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { REJECTIONS, type RejectionReason } from '../../../schema/vehicles/ingest-rejection.ts';
import { MAX_UNKNOWN_SERIALS } from '../../../models/vehicles/ingest-rejection.ts';
import { logRejections } from '../../../server/service/rejection-log.ts';
import { serviceMetrics } from '../../../server/service/service-metrics.ts';
import { account, appFor, device as addedDevice, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

const log = { warn: vi.fn(), info: vi.fn() };
let measured: ReturnType<typeof serviceMetrics>;
let logged: ReturnType<typeof logRejections>;
beforeEach(() => {
  measured = serviceMetrics(testService);
  logged = logRejections(log as never);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.clearAllMocks();
  await measured.close();
  await logged.close();
});

async function count(name: string, labels: string): Promise<number> {
  const text = await measured.metrics.getSingleMetricAsString(name);
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}{${labels}} `))
      ?.split(' ')[1] ?? 0,
  );
}

const KEPT_30_DAYS = { positions_days: 30, trips: 'keep_facts', pending: null } as never;

type Owner = Awaited<ReturnType<typeof account>>;
const FIELDS =
  'first_received last_received first last reason outcome path count detail advice sample serial device_key';

async function rejectionsOf({ headers }: Pick<Owner, 'headers'>) {
  const { data } = await host.graphql(`{ ingestRejections { nodes { ${FIELDS} } } }`, headers);
  return (data.ingestRejections as { nodes: Record<string, unknown>[] }).nodes;
}

async function forwarding() {
  const owner = await account();
  const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key: null });
  const traccar = (uniqueId: string, position: object = {}) =>
    host.post(secret, {
      device: { uniqueId },
      position: { fixTime: at(0).timestamp, latitude: 53, longitude: 8, valid: true, ...position },
    });
  return { owner, secret, traccar };
}

const ownTracks = (secret: string, message: object) =>
  host.app.inject({
    method: 'POST',
    url: '/api/v2/ingest/owntracks',
    headers: { host: 'localhost', authorization: `Basic ${Buffer.from(`van:${secret}`).toString('base64')}` },
    payload: message,
  });

test('messages of an unknown serial are counted, logged once a minute, and listed for the owner', async () => {
  const { owner, traccar } = await forwarding();
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let sent = 0; sent < 3; sent++) {
    expect(await traccar('UNKNOWN-1')).toMatchObject({ status: 200, body: { refused: 'No such device' } });
  }
  expect(await count('waybridge_ingest_rejections_total', 'reason="unknown_device",path="traccar"')).toBe(3);
  expect(await count('waybridge_ingest_positions_total', 'result="refused"')).toBe(3);
  const expected = { reason: 'unknown_device', path: 'traccar', serial: 'UNKNOWN-1', device_key: null };
  expect(await rejectionsOf(owner)).toMatchObject([
    { ...expected, count: 3, outcome: 'rejected', detail: 'No such device', sample: expect.stringContaining('53') },
  ]);
  expect(log.warn).toHaveBeenCalledTimes(1);
  expect(log.warn).toHaveBeenCalledWith(expect.objectContaining({ ...expected, count: 1 }), 'positions rejected');
  vi.setSystemTime(Date.now() + 61_000);
  await traccar('UNKNOWN-1');
  expect(log.warn).toHaveBeenLastCalledWith(expect.objectContaining({ count: 3 }), expect.any(String));
  const [{ first, last, ...listed } = {}] = await rejectionsOf(owner);
  expect(listed).toMatchObject({ first_received: first, last_received: last });
  expect(Date.parse(String(last)) - Date.parse(String(first))).toBe(61_000);
});

test('of unknown serials, the latest are kept', async () => {
  const { owner, traccar } = await forwarding();
  for (let serial = 0; serial <= MAX_UNKNOWN_SERIALS; serial++) await traccar(`UNKNOWN-${serial}`);
  const query = '{ ingestRejections(first: 1000) { nodes { serial } } }';
  const { data } = await host.graphql(query, owner.headers);
  const { nodes } = data.ingestRejections as { nodes: { serial: string }[] };
  expect(nodes).toHaveLength(MAX_UNKNOWN_SERIALS);
  expect(nodes.at(-1)).toEqual({ serial: `UNKNOWN-${MAX_UNKNOWN_SERIALS}` });
});

test('a device shows what was not believed, to its owner alone', async () => {
  const { owner, traccar } = await forwarding();
  const device = await recordingDevice(owner);
  await traccar(device.serial, { accuracy: 900 });
  await traccar(device.serial, { fixTime: 'noon' });
  const query = `{ device(key: "${device.device_key}") { recent_rejections { reason outcome count path } } }`;
  const { data } = await host.graphql(query, owner.headers);
  expect(data.device).toEqual({
    recent_rejections: expect.arrayContaining([
      { reason: 'inaccurate', outcome: 'marked', count: 1, path: 'traccar' },
      { reason: 'malformed', outcome: 'rejected', count: 1, path: 'traccar' },
    ]),
  });
  const { headers } = await appFor(await user(owner.key), ['account.read']);
  expect((await host.graphql(query, headers)).data).toEqual({ device: { recent_rejections: null } });
});

describe('the reason is noted', () => {
  test.each([
    ['future', { timestamp: '9999-03-01T12:00:00Z' }, 'points[0].timestamp must not be in the future'],
    ['too_old', { timestamp: '1999-03-01T12:00:00Z' }, 'points[0].timestamp must not be more than 1,024 weeks ago'],
    ['malformed', { speed: -1 }, 'points[0].speed must be a number from 0 to 10000'],
  ])('%s', async (reason, fault, detail) => {
    const { owner, secret } = await recordingDevice();
    expect((await host.post(secret, { points: [{ ...at(0), ...fault }, at(1)] })).status).toBe(400);
    expect(await rejectionsOf(owner)).toMatchObject([{ reason, detail, count: 2, path: 'points' }]);
  });

  test('of one bad position among others, with the position', async () => {
    const { owner, secret } = await recordingDevice();
    await host.post(secret, { points: [at(0), { ...at(1), heading: 361 }] });
    const [{ sample } = { sample: '' }] = await rejectionsOf(owner);
    expect(JSON.parse(String(sample))).toMatchObject({ heading: 361 });
  });

  test('of a device of a batch, for that device', async () => {
    const { owner, secret } = await forwarding();
    const [one, other] = [await recordingDevice(owner), await recordingDevice(owner)];
    const batch = [
      { serial: one.serial, points: [at(0)] },
      { serial: other.serial, points: [{ ...at(1), heading: 361 }] },
    ];
    expect((await host.post(secret, { batch })).status).toBe(400);
    expect(await rejectionsOf(owner)).toMatchObject([{ device_key: other.device_key, path: 'batch', count: 2 }]);
  });

  test('of a device without a vehicle, which an app sends again', async () => {
    const owner = await account();
    const { key: device_key } = await addedDevice(owner.key);
    const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key });
    const url = `/api/v2/ingest/osmand?id=${secret}&lat=53&lon=8`;
    expect((await host.app.inject({ url, headers: { host: 'localhost' } })).statusCode).toBe(400);
    const [rejection] = await rejectionsOf(owner);
    expect(rejection).toMatchObject({ reason: 'no_vehicle', device_key, path: 'osmand' });
    expect(JSON.stringify(rejection)).not.toContain(secret);
  });

  test.each([
    ['ignored_kind', { _type: 'lwt', tst: 1 }],
    ['ignored_kind', { _type: 'waypoint', lat: 53, lon: 8, desc: 'Depot' }],
    ['encrypted', { _type: 'encrypted', data: 'vG0s' }],
    ['malformed', { _type: 'location', lat: 53, lon: 8 }],
  ])('%s, of a message of OwnTracks that is answered like all others', async (reason, message) => {
    const { owner, secret } = await recordingDevice();
    const answer = await ownTracks(secret, message);
    expect([answer.statusCode, answer.json()]).toEqual([200, []]);
    expect(await rejectionsOf(owner)).toMatchObject([{ reason, path: 'owntracks', count: 1 }]);
  });

  test('of different places at one time, in the answer as well', async () => {
    const { owner, secret } = await recordingDevice();
    const moved = (lat: number) => ({ ...at(0), point: { lat, lon: 8 } });
    const { body } = await host.post(secret, { points: [moved(53), moved(53.0001), moved(53.0002), moved(53)] });
    const refused = '2 of the positions have the time of another one at another place; send milliseconds';
    expect(body).toEqual({ accepted: 1, duplicates: 3, refused });
    expect(await rejectionsOf(owner)).toMatchObject([{ reason: 'same_time', outcome: 'omitted', count: 2 }]);
  });
});

/** Ways in which a device, or a forwarder of its account, gives each reason. */
const WAYS: Readonly<Record<RejectionReason, (sender: Awaited<ReturnType<typeof driving>>) => Promise<unknown>>> = {
  malformed: ({ send }) => send({ ...at(60), heading: 361 }),
  future: ({ send }) => send({ ...at(60), timestamp: '9999-03-01T12:00:00Z' }),
  too_old: ({ send }) => send({ ...at(60), timestamp: '1999-03-01T12:00:00Z' }),
  expired: async ({ owner, send }) => {
    await AccountStore.updateOne(unrestricted(testService), { key: owner.key }, { retention: KEPT_30_DAYS });
    return send({ ...at(60), timestamp: new Date(Date.now() - 31 * 86_400_000).toISOString() });
  },
  unknown_device: ({ traccar }) => traccar('UNKNOWN-W'),
  no_vehicle: async ({ owner, traccar }) => traccar((await addedDevice(owner.key)).serial),
  encrypted: ({ secret }) => ownTracks(secret, { _type: 'encrypted', data: 'vG0s' }),
  ignored_kind: ({ secret }) => ownTracks(secret, { _type: 'lwt', tst: 1 }),
  same_time: ({ send }) => send(at(60), { ...at(60), point: { lat: 1, lon: 1 } }),
  invalid: ({ send }) => send({ ...at(60), point: null }),
  inaccurate: ({ send }) => send({ ...at(60), accuracy: 900 }),
  stale: ({ serial, traccar }) => traccar(serial, { deviceTime: timeAt(600) }),
  time_corrected: ({ send }) =>
    send({ ...at(60), timestamp: new Date(Date.now() - (1024 * 7 + 1) * 86_400_000).toISOString() }),
  jump: ({ send }) => send({ ...at(60), point: { lat: 10, lon: 10 } }, at(70), at(80), at(90), at(100)),
  odometer: async ({ send }) => {
    await send({ ...at(40), odometer: 1000 });
    await send({ ...at(50), odometer: 1_436_772 });
  },
  speed: ({ send }) => send({ ...at(60), speed: 402 }, at(70), { ...at(80), events: ['engine_stop'] }),
};

/** A device on the way, and a forwarder of its account. */
async function driving() {
  const { owner, traccar } = await forwarding();
  const device = await recordingDevice(owner);
  const send = async (...points: object[]) => host.post(device.secret, { points });
  await send({ ...at(0), events: ['engine_start'] }, at(10), at(20), at(30));
  await leasedWorkEnded(testService);
  return { ...device, traccar, send };
}

test.each(Object.keys(WAYS) as RejectionReason[])(
  'what is %s is counted, logged once a minute, and listed for the owner',
  async (reason) => {
    const sender = await driving();
    vi.clearAllMocks();
    await WAYS[reason](sender);
    await leasedWorkEnded(testService);
    const listed = await rejectionsOf(sender.owner);
    const found = listed.find((one) => one.reason === reason);
    expect(found).toMatchObject({ count: 1, outcome: REJECTIONS[reason].outcome });
    expect(await count('waybridge_ingest_rejections_total', `reason="${reason}",path="${found?.path}"`)).toBe(1);
    const lines = [...log.warn.mock.calls, ...log.info.mock.calls].filter(([line]) => line.reason === reason);
    expect(lines).toEqual([[expect.objectContaining({ count: 1, path: found?.path }), expect.any(String)]]);
  },
);

describe('marked positions', () => {
  const query = ({ device_key }: { readonly device_key: string }, more = '') =>
    `{ markedPositions(device_key: "${device_key}", recorded_after: "${timeAt(-60)}", recorded_before: "${timeAt(900)}"${more})
      { nodes { timestamp point { lat lon } marks reasons accuracy speed odometer events } } }`;
  const marked = async (device: Awaited<ReturnType<typeof driving>>) => {
    await leasedWorkEnded(testService);
    const { markedPositions } = await host.ask(query(device), device.owner.headers);
    return (markedPositions as { nodes: Record<string, unknown>[] }).nodes;
  };

  test('are listed with what came and the reasons', async () => {
    const device = await driving();
    await device.send({ ...at(40), accuracy: 900 }, { ...at(50), point: null, events: ['sos'] });
    await device.send({ ...at(60), point: { lat: 10, lon: 10 } }, { ...at(70), speed: 402 });
    await device.send({ ...at(80), odometer: 1000 }, { ...at(85), odometer: 5000 }, { ...at(90), odometer: 1000.5 });
    await device.send({ ...at(100), events: ['engine_stop'] });
    expect(await marked(device)).toMatchObject([
      { point: at(40).point, marks: ['inaccurate'], accuracy: 900, reasons: ['The accuracy is worse than the limit.'] },
      { point: null, marks: ['invalid'], accuracy: null, speed: null },
      { point: { lat: 10, lon: 10 }, marks: ['jump'] },
      { point: at(70).point, marks: ['speed'], speed: 402, odometer: null },
      { point: at(85).point, marks: ['odometer'], odometer: 5000 },
    ]);
    const { trips } = await host.ask('{ trips { nodes { point_count max_speed } } }', device.owner.headers);
    const [{ max_speed } = { max_speed: 0 }] = (trips as { nodes: { max_speed: number }[] }).nodes;
    expect(max_speed).toBeLessThan(300);
  });

  test('are listed for the owner alone', async () => {
    const device = await driving();
    const { headers } = await appFor(await user(device.owner.key), Object.keys(SCOPES));
    expect(await host.graphql(query(device), headers)).toMatchObject({
      errors: [{ extensions: { code: expect.stringMatching(/FORBIDDEN|UNAUTHENTICATED/) } }],
    });
    const other = await account();
    expect(await host.graphql(query(device), other.headers)).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
  });

  test('are read for 7 days at most', async () => {
    const { owner, device_key } = await driving();
    const asked = `{ markedPositions(device_key: "${device_key}", recorded_after: "2020-01-01T00:00:00Z") { nodes { timestamp } } }`;
    expect(await host.graphql(asked, owner.headers)).toMatchObject({
      errors: [{ message: 'recorded_after must be at most 7 days before recorded_before' }],
    });
  });

  test('have an accuracy above the limit of the device, or else of its account', async () => {
    const device = await driving();
    const settings = (field: string) => host.ask(`mutation { ${field} { key } }`, device.owner.headers);
    await device.send({ ...at(40), accuracy: 150 });
    await settings('updateTripSettings(input: { accuracy_meters: 100 })');
    await device.send({ ...at(50), accuracy: 151 });
    await settings(`updateDeviceTripSettings(key: "${device.device_key}", input: { accuracy_meters: 500 })`);
    await device.send({ ...at(60), accuracy: 152 }, { ...at(70), accuracy: 501 });
    expect((await marked(device)).map(({ accuracy }) => accuracy)).toEqual([151, 501]);
  });
});

test('positions that are believed leave nothing behind', async () => {
  const { owner, secret } = await recordingDevice();
  await host.post(secret, { points: [at(0), at(1), at(1)] });
  expect(await rejectionsOf(owner)).toEqual([]);
});

test('doctor names unknown serials and devices of which nothing was stored, and no others', async () => {
  const { owner, traccar } = await forwarding();
  const [silent, fine] = [await addedDevice(owner.key), await recordingDevice(owner)];
  await traccar('UNKNOWN-D');
  await traccar(silent.serial);
  await traccar(fine.serial, { fixTime: 'noon' });
  await traccar(fine.serial);
  const late = await recordingDevice(await account({ retention: KEPT_30_DAYS }));
  const timestamp = new Date(Date.now() - 31 * 86_400_000).toISOString();
  expect((await host.post(late.secret, { points: [{ ...at(0), timestamp }] })).body).toMatchObject({ accepted: 0 });
  const { state, detail, advice } = await rejectionFinding(testService, Date.now());
  expect(state).toBe('warning');
  expect(detail).toContain('UNKNOWN-D (unknown_device)');
  expect(detail).toContain(`${silent.serial} (no_vehicle)`);
  expect(detail).toContain(`${late.serial} (expired)`);
  expect(detail).not.toContain(fine.serial);
  expect(advice).toContain('waybridge device rejections --account');
  expect(await rejectionFinding(testService, Date.now() + 86_400_000 * 2)).toMatchObject({ state: 'sound' });
});
