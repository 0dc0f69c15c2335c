import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { leasedWorkEnded } from '../../tracking/recording/device-lease.ts';
import { ingestHost, recordingDevice, type SentPoint } from '../hosts/ingest-host.ts';
import { account } from '../services/account-fixture.ts';
import { testService, useDatabase } from '../services/database.ts';
import { runSize } from '../services/run-size.ts';
import { inRequests, postSettled } from '../services/sent-in-parts.ts';

import { Dice } from './hostile/dice.ts';
import { type Day, makeDay, outcomeOf, type Row, runCampaign } from './world/campaign.ts';
import { DEVICES } from './world/devices.ts';
import { type Drive, inventedDrives, recordedDrives } from './world/drives.ts';
import { BEGINNING, type Fix } from './world/fixes.ts';
import { type FoundTrip, type Score, scoreOf, sumOf, toleranceOf } from './world/score.ts';
import { faultsOf, tableOf } from './world/table.ts';

const RECORDINGS = new URL('../../../shared/data/trips/', import.meta.url);
const SEED = runSize('1', String(Date.now()));
const INVENTED = inventedDrives(new Dice('drives'), 12);

const NAMED = DEVICES.map((device) => [device.name, device] as const);

/** Kinds whose positions say all that the endpoint needs to judge them: it takes no accuracy and no settings of the device here. */
const POSTED = NAMED.filter(([, { unbelieved, limits, rhythm }]) => !unbelieved && !limits && rhythm.every > 1);

test.each(NAMED)('invented drives are found as they were: %s', (_, device) => {
  expect(faultsOf(runCampaign(INVENTED, runSize(4, 100), SEED, [device]))).toEqual([]);
});

describe.skipIf(!existsSync(RECORDINGS))('Recorded drives (skipped where ../shared/data/trips is absent)', () => {
  let drives: readonly Drive[];
  beforeAll(async () => {
    drives = await recordedDrives(RECORDINGS.pathname);
  });

  test.each(NAMED)('are found as they were: %s', (_, device) => {
    expect(faultsOf(runCampaign(drives, runSize(4, 100), SEED, [device]))).toEqual([]);
  });
});

test('a simulation tells what is wrong', () => {
  const right: Row = {
    device: 'tracker',
    within: 60,
    days: 1,
    trips: 3,
    found: 3,
    starts: 3,
    ends: 3,
    distances: 3,
    untrue: 0,
  };
  expect(faultsOf([right])).toEqual([]);
  for (const wrong of [
    { found: 4 },
    { starts: 2 },
    { ends: 2 },
    { distances: 2 },
    { untrue: 1 },
    { trips: 0, found: 0 },
  ]) {
    expect(faultsOf([{ ...right, ...wrong }])).toHaveLength(1);
  }
  expect(tableOf([right])).toContain('| tracker | 3 | 3 | 60 s | 1.000, 1.000 |');
});

describe('sent in requests of any size, in any order nearby', () => {
  useDatabase();
  let host: Awaited<ReturnType<typeof ingestHost>>;
  let owner: Awaited<ReturnType<typeof account>>;
  beforeAll(async () => {
    host = await ingestHost();
    owner = await account({ trip_settings: null });
  });
  afterAll(async () => {
    await leasedWorkEnded(testService);
    await host.app.close();
  });

  test.each(POSTED)('drives are the trips of the account: %s', async (_, device) => {
    const scores: Score[] = [];
    for (let day = 0; day < runSize(1, 4); day++) {
      const made = makeDay(device, INVENTED, `${SEED} posted ${day}`);
      const found = await postedTrips(made);
      expect(found).toEqual(outcomeOf(made).found.map(({ start, end, meters }) => roundedTrip(start, end, meters)));
      const shown = [found.map((trip) => ({ ...trip, isOpen: false }))];
      scores.push(scoreOf({ ...made, found: found.map((trip) => ({ ...trip, isOpen: false })), shown }));
    }
    expect(faultsOf([{ device: device.name, within: toleranceOf(device), ...sumOf(scores) }])).toEqual([]);
  });

  /** The trips that the account has after a day was posted. */
  async function postedTrips({ sent, dice }: Day) {
    const { secret, vehicle_key } = await recordingDevice(owner);
    const sizes = dice.some(4, () => 1 + dice.below(60));
    const requests = inRequests(sent.map(pointOf), [20, ...sizes])
      .map((points, i) => ({ points, rank: i + dice.below(3) }))
      .toSorted((a, b) => a.rank - b.rank);
    for (const { points } of requests) expect(await postSettled(host, secret, points)).toMatchObject({ status: 200 });
    const fields = 'start_point { timestamp } end_point { timestamp } distance_meters';
    const data = await host.ask(
      `{ trips(vehicle_key: "${vehicle_key}", first: 1000) { nodes { ${fields} } } }`,
      owner.headers,
    );
    const { nodes } = data.trips as { nodes: SeenTrip[] };
    const secondsOf = ({ timestamp }: { timestamp: string }) => (Date.parse(timestamp) - BEGINNING) / 1000;
    return nodes
      .map((trip) => roundedTrip(secondsOf(trip.start_point), secondsOf(trip.end_point), trip.distance_meters))
      .toSorted((a, b) => a.start - b.start);
  }
});

interface SeenTrip {
  readonly start_point: { readonly timestamp: string };
  readonly end_point: { readonly timestamp: string };
  readonly distance_meters: number;
}

function roundedTrip(start: number, end: number, meters: number): Omit<FoundTrip, 'isOpen'> {
  return { start, end, meters: Math.round(meters / 10) * 10, maxSpeed: 0 };
}

function pointOf({ at, lat, lon, speed, ignition }: Fix): SentPoint {
  return {
    point: { lat, lon },
    timestamp: new Date(BEGINNING + at * 1000).toISOString(),
    speed: speed / 0.44704,
    ...(ignition !== null && { ignition }),
  };
}
