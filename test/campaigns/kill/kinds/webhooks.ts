import { setTimeout } from 'node:timers/promises';

import type { Received } from '../../../hosts/webhook-receiver.ts';
import { evaluate } from '../evaluate.ts';
import type { Headers } from '../fleet.ts';
import type { Service } from '../service.ts';
import type { WriteKind } from '../write-kind.ts';
import { type Finding, shownBy } from '../write.ts';
import { startOf } from './positions.ts';

const MAX_A_ROUND = 60;
/** Time in which what was acknowledged must have reached the receiver, in milliseconds: another server takes over after ten seconds. */
const MAX_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** Events that a device reports, as a webhook receives them: each, in their order, and again only with the same id. */
export const webhooks: WriteKind = {
  name: 'events at a receiver (webhook)',
  // To a clock that is ten years ahead they are no news.
  without: ['clock step'],
  begin: async (round, server) => {
    const { number, fleet, newLedger } = round;
    const { receiver } = fleet;
    await makeWebhook(server, fleet.owner.headers, receiver.url);
    const { vehicle_key, authorization } = await makeDevice(server, fleet.owner.headers, `Reporting ${number}`);
    const ledger = newLedger();
    let next = 0;
    const mine = () => receiver.received.filter(({ body }) => (body.car as { key: string }).key === vehicle_key);
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const at = next++;
        const timestamp = new Date(startOf(round) + at * 1000).toISOString();
        const points = [{ point: { lat: 53, lon: 8.8 + at / 10_000 }, timestamp, events: ['device_unplug'] }];
        await ledger.send([ledger.note(timestamp, vehicle_key)], () =>
          to.ask('/api/v2/ingest', { headers: { authorization }, body: { points } }),
        );
        return at < MAX_A_ROUND;
      },
      verify: async () => {
        const isThere = () => {
          const times = new Set(mine().map(timeOf));
          return ledger.acknowledged.every(({ id }) => times.has(id));
        };
        for (let waited = 0; !isThere() && waited < MAX_WAIT_MS; waited += LOOK_EVERY_MS)
          await setTimeout(LOOK_EVERY_MS);
        return findingsOf(mine(), (shown) => evaluate(ledger.writes, [{ name: 'the receiver', shown }]));
      },
    };
  },
};

const timeOf = ({ body }: Received) => new Date(String(body.timestamp)).toISOString();

/** Findings of requests: by events, of which each has one id, and by their order. */
function findingsOf(
  received: readonly Received[],
  byEvents: (shown: ReturnType<typeof shownBy>) => Finding[],
): Finding[] {
  const first = [
    ...new Map(received.toReversed().map((got) => [got.headers['webhook-id'], got])).values(),
  ].toReversed();
  const times = first.map(timeOf);
  const late = times.findIndex((time, at) => time < (times[at - 1] ?? ''));
  return [
    ...byEvents(shownBy(first.map((got) => [timeOf(got), String((got.body.car as { key: string }).key)]))),
    ...(late === -1 ? [] : [{ fault: 'half' as const, id: times[late] ?? '', detail: 'the receiver got it too late' }]),
  ];
}

async function makeWebhook(server: Service, headers: Headers, url: string): Promise<void> {
  const { webhooks } = await server.query<{ webhooks: { nodes: unknown[] } }>(
    '{ webhooks { nodes { key } } }',
    headers,
  );
  if (webhooks.nodes.length > 0) return;
  const input = `{ url: ${JSON.stringify(url)}, events: [device_unplug] }`;
  await server.query(`mutation { createWebhook(input: ${input}) { key } }`, headers);
}

async function makeDevice(server: Service, headers: Headers, name: string) {
  const make = async <Field extends string>(mutation: string, field: Field) => {
    const { made } = await server.query<{ made: Record<Field, string> }>(`mutation { made: ${mutation} }`, headers);
    return made[field];
  };
  const vehicle_key = await make(`createVehicle(input: { nickname: "${name}" }) { key }`, 'key');
  const device_key = await make(`createDevice(serial: "${name}", vehicle_key: "${vehicle_key}") { key }`, 'key');
  const secret = await make(`issueDeviceKey(device_key: "${device_key}") { device_key_secret }`, 'device_key_secret');
  return { vehicle_key, authorization: `Bearer ${secret}` };
}
