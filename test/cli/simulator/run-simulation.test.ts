import { expect, test } from 'vitest';

import { runSimulation, type SimulationRun } from '../../../cli/simulator/run-simulation.ts';
import { simulatedBatches } from '../../../cli/simulator/simulated-batches.ts';
import { clientOf } from './ingest-service.ts';

const RUN: SimulationRun = {
  ...{ vehicles: 4, everySeconds: 10, seed: 'harbour', start: Date.UTC(2026, 2, 1, 12), forSeconds: 120 },
  ...{ faults: 'default', batch: 2, speed: 1_000_000, maxRequests: 8 },
};
const ACCEPTED = [200, '{"accepted":3,"duplicates":1}'] as const;
const FOREVER = new AbortController().signal;

test('positions of a forwarder are sent as batches of devices, each once, and what was accepted is counted', async () => {
  const expected = [...simulatedBatches(RUN)].map(({ devices }) => ({ batch: devices }));
  const { client, received } = await clientOf(expected.map(() => ACCEPTED));
  const done = await runSimulation(RUN, client, FOREVER, () => undefined);
  const bodies = received.map(({ body }) => body);
  expect(bodies).toHaveLength(expected.length);
  expect(bodies).toEqual(expect.arrayContaining(expected));
  const count = expected.length;
  expect(done).toMatchObject({ requests: count, accepted: 3 * count, duplicates: count, repeated: 0 });
});

test('a device sends one request after another, in the order of its positions', async () => {
  const run = { ...RUN, vehicles: 1, batch: 1 };
  const expected = [...simulatedBatches(run)].flatMap(({ devices }) => devices);
  const { client, received } = await clientOf(expected.map(() => ACCEPTED));
  await runSimulation(run, client, FOREVER, () => undefined);
  expect(received.map(({ body }) => body)).toEqual(expected);
});

test('a rejection ends a simulation', async () => {
  const { client, received } = await clientOf([ACCEPTED, [401, '']]);
  const run = { ...RUN, vehicles: 1, batch: 1 };
  await expect(runSimulation(run, client, FOREVER, () => undefined)).rejects.toThrow(
    /rejected positions with 401; give/,
  );
  expect(received).toHaveLength(2);
});

test('an ended simulation sends nothing else', async () => {
  const { client, received } = await clientOf([ACCEPTED]);
  const ending = new AbortController();
  const run = { ...RUN, vehicles: 1, batch: 1 };
  const done = await runSimulation(run, client, ending.signal, () => ending.abort());
  expect(done).toMatchObject({ requests: 1, accepted: 3 });
  expect(received).toHaveLength(1);
});
