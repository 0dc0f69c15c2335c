import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { leasedWorkEnded } from '../../tracking/recording/device-lease.ts';
import { ingestHost } from '../hosts/ingest-host.ts';
import { testService, useDatabase } from '../services/database.ts';
import { runSize } from '../services/run-size.ts';

import { Dice } from './hostile/dice.ts';
import { makeDay, outcomeOf, type Row, runCampaign } from './world/campaign.ts';
import { DEVICES } from './world/devices.ts';
import { type Drive, inventedDrives, recordedDrives } from './world/drives.ts';
import { postedDay, roundedTrip } from './world/post-day.ts';
import { type Score, scoreOf, sumOf, toleranceOf } from './world/score.ts';
import { faultsOf, tableOf } from './world/table.ts';

const RECORDINGS = new URL('../../../shared/data/trips/', import.meta.url);
const SEED = runSize('1', String(Date.now()));
const INVENTED = inventedDrives(new Dice('drives'), 12);

const NAMED = DEVICES.map((device) => [device.name, device] as const);

test.each(NAMED)('invented drives are found as they were: %s', (_, device) => {
  expect(faultsOf(runCampaign(INVENTED, runSize(2, 100), SEED, [device]))).toEqual([]);
});

describe.skipIf(!existsSync(RECORDINGS))('Recorded drives (skipped where ../shared/data/trips is absent)', () => {
  let drives: readonly Drive[];
  beforeAll(async () => {
    drives = await recordedDrives(RECORDINGS.pathname);
  });

  test.each(NAMED)('are found as they were: %s', (_, device) => {
    expect(faultsOf(runCampaign(drives, runSize(2, 100), SEED, [device]))).toEqual([]);
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

describe('sent in requests of any size, on any path, in any order nearby', () => {
  useDatabase();
  let host: Awaited<ReturnType<typeof ingestHost>>;
  beforeAll(async () => {
    host = await ingestHost();
  });
  afterAll(async () => {
    await leasedWorkEnded(testService);
    await host.app.close();
  });

  // In a sample, one in six: a day of positions on every path takes seconds.
  const posted = NAMED.filter((_, number) => number % runSize(6, 1) === 0);

  test.each(posted)('drives are the trips of the account, and nothing else happened: %s', async (_, device) => {
    const scores: Score[] = [];
    for (let day = 0; day < runSize(1, 4); day++) {
      const made = makeDay(device, INVENTED, `${SEED} posted ${day}`);
      const { found, others } = await postedDay(host, made);
      expect(found).toEqual(outcomeOf(made).found.map(({ start, end, meters }) => roundedTrip(start, end, meters)));
      expect(others).toEqual([]);
      const shown = [found.map((trip) => ({ ...trip, isOpen: false }))];
      scores.push(scoreOf({ ...made, found: found.map((trip) => ({ ...trip, isOpen: false })), shown }));
    }
    expect(faultsOf([{ device: device.name, within: toleranceOf(device), ...sumOf(scores) }])).toEqual([]);
  });
});
