import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { contentSchema } from '../../../content/content-schema.ts';
import { gatewaySchema, restSchema } from '../../../resolvers/gateway-schema.ts';
import { askSchema } from '../../fixtures/ask-schema.ts';
import { ownerOf } from '../../fixtures/trip-query.ts';
import { account, device, group, subscription, vehicle } from '../../services/account-fixture.ts';
import { useContentHost } from '../../hosts/content-host.ts';
import { countTurns, stepClock } from '../../services/event-loop-turns.ts';
import { testService } from '../../services/database.ts';

const website = useContentHost();

const COUNT = 30;

/** Records the turns of the event loop in which a field is completed, until the test ends. */
function turnsOf(schema: GraphQLSchema, type: string, name: string): Set<number> {
  const parent = schema.getType(type);
  const field: GraphQLField<unknown, unknown> | undefined = isObjectType(parent) ? parent.getFields()[name] : undefined;
  if (!field) throw new Error(`There is no field ${type}.${name}`);
  const { resolve } = field;
  const turn = countTurns();
  const turns = new Set<number>();
  field.resolve = (...given) => {
    turns.add(turn());
    return (resolve ?? defaultFieldResolver)(...given);
  };
  onTestFinished(() => {
    if (resolve) field.resolve = resolve;
    else delete field.resolve;
  });
  return turns;
}

test.each([
  ['groups', '{ groups { name children { name } } }', 'Group', 'name'],
  ['devices', '{ devices { nodes { serial } } }', 'Device', 'serial'],
  ['vehicles', '{ vehicles { nodes { nickname } } }', 'Vehicle', 'nickname'],
  ['subscriptions', '{ subscriptions { nodes { key } } }', 'BillingSubscription', 'key'],
])('%s of an account are listed in several turns of the event loop', async (_, source, type, name) => {
  const { key } = await account();
  const top = await group(key, 'Top');
  await Promise.all(
    Array.from({ length: COUNT }, async (__, at) => {
      await Promise.all([group(key, `Group ${at}`, top), vehicle(key), device(key), subscription(key)]);
    }),
  );
  for (const schema of [await gatewaySchema(), await restSchema()]) {
    const turns = turnsOf(schema, type, name);
    stepClock();
    expect((await askSchema(schema, ownerOf(key), source)).errors).toBeUndefined();
    expect(turns.size).toBeGreaterThan(2);
  }
});

test('posts of the website are rendered in several turns of the event loop', async () => {
  const date = '2026-01-01T00:00:00';
  await ContentItemStore.insertMany(
    testService,
    Array.from({ length: COUNT }, (_, at) => ({
      id: at + 1,
      type: 'post',
      status: 'publish',
      ...{ date, date_gmt: date, modified: date, modified_gmt: date },
      slug: `post-${at}`,
      title: `Post ${at}`,
    })),
  );
  const turns = turnsOf(contentSchema(), 'Post', 'content');
  stepClock();
  const posts = await website.call('anonymous', 'GET', `/wp/v2/posts?per_page=${COUNT}`);
  expect(posts.json()).toHaveLength(COUNT);
  expect(turns.size).toBeGreaterThan(2);
});
