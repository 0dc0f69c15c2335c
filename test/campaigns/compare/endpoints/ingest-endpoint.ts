import type { GraphQLSchema } from 'graphql';

import type { Draft, Comparison } from '../comparison.ts';
import { type DrivenPoint, drive, traccarMessage } from '../../../fixtures/drive.ts';
import { queryOfAllFields, readSchema } from '../gateway-schema.ts';
import { BAD_BODIES, BAD_VALUES } from './bad-values.ts';

const PATH = '/api/v2/ingest';

/** Positions by devices and forwarders, in each form, right and wrong, and the trips that they become. */
export async function ingestEndpoint(comparison: Comparison, size: number): Promise<void> {
  const schema = await readSchema(comparison);
  const send = (json: unknown, as = 'device'): Draft => ({ method: 'POST', path: PATH, as, json });
  const whole = drive('2026-03-10T08:00:00Z', 30);
  const flow: Draft[] = [
    send({ points: whole }),
    send({ points: whole }),
    send({ points: whole.slice(10, 20) }),
    send({ points: drive('2026-03-11T08:00:00Z', 20).toReversed() }),
    send({ points: drive('2026-03-12T08:00:00Z', 20, { ends: false }) }, 'lorry_device'),
    send({ points: drive('2026-03-12T08:03:20Z', 20) }, 'lorry_device'),
    send({ points: [] }),
    send({ points: drive('2026-03-13T08:00:00Z', 1000) }),
    send({ points: drive('2026-03-14T08:00:00Z', 1001) }),
    send({ device: 'VAN-1', points: drive('2026-03-15T08:00:00Z', 3) }),
    send({ device: 'van-1', points: drive('2026-03-15T09:00:00Z', 3) }),
    send({ device: 'Lorry-1', points: drive('2026-03-15T08:00:00Z', 3) }),
    send({ device: 'VAN-1', points: drive('2026-03-16T08:00:00Z', 3) }, 'forwarder'),
    send({ device: 'nobody', points: drive('2026-03-16T08:00:00Z', 3) }, 'forwarder'),
    send({ points: drive('2026-03-16T08:00:00Z', 3) }, 'forwarder'),
    send(traccarMessage('VAN-1', '2026-03-17T08:00:00.000+00:00'), 'forwarder'),
    send(traccarMessage('VAN-1', '2026-03-17T09:00:10.000+01:00'), 'forwarder'),
    send(traccarMessage('nobody', '2026-03-17T08:00:00.000+00:00'), 'forwarder'),
    send({ event: { type: 'ignitionOff' }, ...traccarMessage('VAN-1', '2026-03-17T08:00:20.000+00:00') }, 'forwarder'),
    send({ points: drive('2999-01-01T00:00:00Z', 2) }),
    ...['visitor', 'owner', 'app', 'pending_device', 'revoked_device', 'trip_map', 'two_credentials'].map((as) =>
      send({ points: drive('2026-03-18T08:00:00Z', 3) }, as),
    ),
  ];
  for (const draft of flow) await comparison.ask(draft);
  for (const vehicle of ['van', 'lorry']) await readTrips(comparison, schema, vehicle);
  const odd = oddRequests();
  for (const draft of comparison.random.sample(odd, size - flow.length)) await comparison.ask(draft);
  await readTrips(comparison, schema, 'van');
}

/** Asks for the trips of a vehicle with all that was made of its positions. */
async function readTrips(comparison: Comparison, schema: GraphQLSchema, vehicle: string): Promise<void> {
  const query = queryOfAllFields(schema, 'query', 'trips', { vehicle_key: `{{${vehicle}}}`, first: 1000 });
  await comparison.ask({ method: 'POST', path: '/graphql', as: 'owner', json: { query } });
  await comparison.ask({ method: 'POST', path: '/graphql', as: 'app', json: { query } });
  await comparison.ask({ path: '/api/v2/devices', as: 'owner' });
  await comparison.ask({ path: '/api/v2/devices', as: 'app' });
}

function oddRequests(): Draft[] {
  const [first, second] = drive('2026-03-20T08:00:00Z', 2) as [DrivenPoint, DrivenPoint];
  const send = (points: unknown, rest: Readonly<Record<string, unknown>> = {}): Draft => ({
    method: 'POST',
    path: PATH,
    as: 'device',
    json: { points, ...rest },
  });
  const { position } = traccarMessage('VAN-1', '2026-03-21T08:00:00Z') as {
    readonly position: Readonly<Record<string, unknown>>;
  };
  return [
    ...BAD_BODIES.map((bad): Draft => ({ method: 'POST', path: PATH, as: 'device', ...bad })),
    ...BAD_VALUES.map((value) => send(value)),
    ...BAD_VALUES.map((value) => send([first, value])),
    ...BAD_VALUES.map((value) => send([first], { device: value })),
    ...Object.keys(first).flatMap((name) => BAD_VALUES.map((value) => send([second, { ...first, [name]: value }]))),
    ...['lat', 'lon'].flatMap((name) =>
      [null, 'x', 91, -181, 1e308].map((value) => send([{ ...first, point: { ...first.point, [name]: value } }])),
    ),
    ...['2026-02-30T00:00:00Z', '2026-03-01', '1', '2026-03-01T00:00:00', '1900-01-01T00:00:00Z'].map((timestamp) =>
      send([{ ...first, timestamp }]),
    ),
    ...Object.keys(position).flatMap((name) =>
      BAD_VALUES.map(
        (value): Draft => ({
          method: 'POST',
          path: PATH,
          as: 'forwarder',
          json: { position: { ...position, [name]: value }, device: { uniqueId: 'VAN-1' } },
        }),
      ),
    ),
    ...BAD_VALUES.map(
      (value): Draft => ({ method: 'POST', path: PATH, as: 'forwarder', json: { position, device: value } }),
    ),
  ];
}
