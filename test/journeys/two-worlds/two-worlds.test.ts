import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { type GraphQLFieldConfig, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { useDatabase } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { everyQuestion, fieldsForOthers } from './every-question.ts';
import { metersBetween, PairMaker, type WorldPair } from './world-pair.ts';
import { WorldUnderTest } from './world-under-test.ts';

useDatabase();
const gpx = useGpxFiles();

/** Pairs that are made; a long search sets more, with a seed of its own. */
const { TWO_WORLDS_RUNS = runSize('1', '12'), TWO_WORLDS_SEED = '1' } = process.env;

const KNOWN = {
  vehicle_key: 'v',
  device_key: 'd',
  group_key: 'g',
  tag_key: 't',
  webhook_key: 'w',
  user_key: 'u',
  leaving_user_key: 'l',
  trip_keys: ['t'],
  instants: ['2026-05-01'],
};

let world: WorldUnderTest;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2050, 4, 1) });
  world = await WorldUnderTest.open(gpx);
});
afterAll(async () => {
  vi.useRealTimers();
  await world.close();
});

/** Number of the positions that both worlds have and that lie so far outside that no rounding hides them. */
function visibleCount({ shared, zones }: WorldPair): number {
  return shared.filter((position) => zones.every((zone) => metersBetween(position, zone) > zone.radius_meters + 3))
    .length;
}

describe('Two worlds that differ only in what zones hide', () => {
  test('are answered alike to apps and trip maps, by every field at every endpoint', async () => {
    let [positions, trips] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (choose) => {
        const pair = new PairMaker(choose).make();
        const [one, other] = pair.worlds;
        const answers = await world.answersIn(one, pair);
        const others = await world.answersIn(other, pair);
        const at = answers.findIndex((answer, i) => !isDeepStrictEqual(answer, others[i]));
        expect(others[at]).toEqual(answers[at]);
        expect(others).toHaveLength(answers.length);

        const refused = answers.filter(({ status, words }) => status === 400 && !words.includes('"after"'));
        expect(refused).toEqual([]);

        const seen = answers.filter(({ words }) => /^app 0 tripPoints\(\{"trip_key":"trip \d+"\}\)/.test(words));
        const points = seen.flatMap(({ body }) => JSON.parse(body).data?.tripPoints?.nodes ?? []);
        const hides = pair.zones.some((zone) => zone.trips === 'hide');
        if (!hides) expect(points.length).toBeGreaterThanOrEqual(visibleCount(pair));
        positions += points.length;
        trips += seen.length - 1;
      }),
      { numRuns: Number(TWO_WORLDS_RUNS), seed: Number(TWO_WORLDS_SEED), endOnFailure: true },
    );
    expect([positions, trips].every((count) => count > 0)).toBe(true);
  });
});

describe('Nothing that may be asked is left out', () => {
  test('all fields of the schema that others than the owner may ask are asked', async () => {
    const schema = await gatewaySchema();
    const questioned = new Set(everyQuestion(schema, KNOWN).map(({ field }) => field));
    expect([...questioned]).toEqual(fieldsForOthers(schema).map(({ name }) => name));
    expect(questioned).toContain('trips');
    expect(questioned).not.toContain('privacyZones');
  });

  test('a new argument, at the top or below, is not passed over', () => {
    const args = { until: { type: GraphQLString } };
    const extensions = { access: ['account.read'] };
    const query = (fields: Record<string, GraphQLFieldConfig<unknown, unknown>>) =>
      new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields }) });
    const place = new GraphQLObjectType({ name: 'Place', fields: { name: { type: GraphQLString, args } } });
    expect(() => everyQuestion(query({ places: { type: place, extensions } }), KNOWN)).toThrow('Place.name');
    expect(() => everyQuestion(query({ last: { type: GraphQLString, args, extensions } }), KNOWN)).toThrow(
      'last(until)',
    );
  });
});
