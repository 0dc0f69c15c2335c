import { expect, test } from 'vitest';

import { BENCHES, createProgram } from '../../bench/program.ts';
import { anew, tripMapRequest } from '../../bench/trips/trip-map-request.ts';
import { percentile, waitTimes } from '../../bench/times.ts';
import { parseDateTime } from '../../schema/date-time.ts';
import { normalizeDocument } from '../../graphql/endpoint/normalized-document.ts';

test('the help of the benches says which there are, and the sizes they take', () => {
  let help = '';
  createProgram()
    .configureOutput({ writeOut: (text) => (help += text) })
    .outputHelp();
  expect(help).toMatch(/^ {2}embedded +the embedded database, against/m);
  expect(help).toMatch(/^ {2}waits +one device .*against the same alone/m);
  expect(help).toMatch(/--small <documents> .*default: 100000/);
  expect(help).toMatch(/--large <documents> .*default: 1000000/);
  expect(help).toMatch(/--json .*one JSON object/);
  expect(help).toMatch(/npm run bench -- embedded/);
});

test('a bench that there is not is refused with those that there are', async () => {
  let said = '';
  const program = createProgram()
    .exitOverride()
    .configureOutput({ writeErr: (text) => (said += text) });
  await expect(program.parseAsync(['nonsense'], { from: 'user' })).rejects.toThrow('nonsense');
  expect(said).toBe(`There is no bench nonsense; there is ${Object.keys(BENCHES).join(', ')}\n`);
});

test.each([
  { title: 'an answer within the pace is the only one waited for', time: 7, everyMs: 10, waited: [7] },
  {
    title: 'requests due while an answer is late wait for the rest of it',
    time: 35,
    everyMs: 10,
    waited: [35, 25, 15, 5],
  },
  { title: 'a request that is due when the answer comes does not wait', time: 20, everyMs: 10, waited: [20, 10] },
  { title: 'without a pace no other request waits', time: 35, everyMs: Number.POSITIVE_INFINITY, waited: [35] },
])('$title', ({ time, everyMs, waited }) => {
  expect(waitTimes(time, everyMs)).toEqual(waited);
});

test('a percentile is a time that was measured, whatever the order of the times', () => {
  const times = [30, 10, 20, 40];
  expect([0, 0.5, 0.51, 0.99].map((share) => percentile(times, share))).toEqual([10, 20, 30, 40]);
  expect(percentile([], 0.5)).toBeNaN();
});

interface MapBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

test('a map that is worked out each time asks for the same instant in digits that no other request has', () => {
  const url = 'https://localhost/graphql';
  const { body } = anew(tripMapRequest({ url, token: 'token', vehicle_key: 'van', first: 1000, day: 1 }));
  const bodies = ['000001', '987654'].map((number): MapBody => JSON.parse(body.replace('%n', number)));
  const [one, other] = bodies.map(({ query, variables }) =>
    normalizeDocument(query)?.variables.map((name) => variables[name]),
  );
  expect(one).not.toEqual(other);
  const instants = bodies.map(({ variables }) => parseDateTime(String(variables.started_after))?.instant);
  expect(instants).toEqual([Date.UTC(2016, 0, 2), Date.UTC(2016, 0, 2)]);
});
