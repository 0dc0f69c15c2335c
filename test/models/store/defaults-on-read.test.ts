import 'reflect-metadata';

import mongoose from 'mongoose';
import { Field, Int, ObjectType } from 'type-graphql';
import { beforeAll, describe, expect, test } from 'vitest';

import { collectionOptions } from '../../../models/store/collection-options.ts';
import { defaulting, required } from '../../../models/store/stored-fields.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { PlainStore } from '../../../models/store/plain-store.ts';
import { storeOf } from '../../../models/store/store-of.ts';

@ObjectType()
class Tyre {
  @Field(() => String) place!: string;
  @Field(() => Int, { defaultValue: 4 }) tread!: number;
}

/** A record whose fields but `key` are new: what is stored has none of them. */
@ObjectType()
class Trailer {
  @Field(() => String) key!: string;
  @Field(() => [String]) labels!: string[];
  @Field(() => String, { nullable: true }) colour?: string | null;
  @Field(() => Int, { defaultValue: 2 }) axles!: number;
  @Field(() => Boolean, { defaultValue: false }) is_spare!: boolean;
  @Field(() => Tyre, { nullable: true }) spare?: Tyre | null;
  @Field(() => [Tyre]) tyres!: Tyre[];
}

const TrailerStore = storeOf(Trailer, {
  collection: 'trailers',
  tenancy: 'account',
  hidden: { account_key: required(String), made: defaulting(Date, () => new Date()) },
});

const HandMadeStore = new PlainStore<{
  readonly name: string;
  readonly tags: readonly string[];
  readonly rest: object;
}>(
  'HandMade',
  new mongoose.Schema(
    { name: { type: String, default: '' }, tags: { type: [String], default: [] }, rest: { type: {}, default: {} } },
    { ...collectionOptions('hand_made'), minimize: false },
  ),
);

const OLD = { key: 'old', account_key: 'a', spare: { place: 'boot' }, tyres: [{ place: 'left' }, { place: 'right' }] };
const READ = {
  key: 'old',
  account_key: 'a',
  labels: [],
  colour: null,
  axles: 2,
  is_spare: false,
  spare: { place: 'boot', tread: 4 },
  tyres: [
    { place: 'left', tread: 4 },
    { place: 'right', tread: 4 },
  ],
};

useDatabase();
const accessScope = unrestricted(testService);
beforeAll(async () => {
  await testService.connection.collection('trailers').insertOne(structuredClone(OLD));
  await testService.connection.collection('hand_made').insertMany([{}, {}]);
});

describe('a document from before its model had a field has the default of the field', () => {
  test.each([
    ['find', () => TrailerStore.find(accessScope, { key: 'old' }, { _id: 0 })],
    ['findOne', async () => [await TrailerStore.findOne(accessScope, { key: 'old' }, { _id: 0 })]],
    ['findOne with orFail', async () => [await TrailerStore.findOne(accessScope, { key: 'old' }, { _id: 0 }).orFail()]],
    ['cursor', () => all(TrailerStore.find(accessScope, { key: 'old' }, { _id: 0 }).cursor())],
    ['cursor in batches', () => all(TrailerStore.find(accessScope, { key: 'old' }, { _id: 0 }).batchSize(1).cursor())],
    [
      'findOneAndUpdate',
      async () => [
        await TrailerStore.findOneAndUpdate(
          accessScope,
          { key: 'old' },
          { account_key: 'a' },
          { projection: { _id: 0 } },
        ),
      ],
    ],
  ] as const)('read by %s', async (_, read) => {
    expect(await read()).toEqual([READ]);
  });

  test('and of a hand-made model, with a separate list and object for each document', async () => {
    const [one, other] = await HandMadeStore.find(testService, {}, { _id: 0 });
    expect([one, other]).toEqual([
      { name: '', tags: [], rest: {} },
      { name: '', tags: [], rest: {} },
    ]);
    expect(one?.tags).not.toBe(other?.tags);
    expect(one?.rest).not.toBe(other?.rest);
  });
});

test.each([
  ['key', { key: 'old' }],
  ['key labels', { key: 'old', labels: [] }],
  [{ 'spare.place': 1 }, { spare: { place: 'boot' } }],
  [
    { 'spare.tread': 1, axles: 1 },
    { spare: { tread: 4 }, axles: 2 },
  ],
  [{ spare: 1 }, { spare: { place: 'boot', tread: 4 } }],
  [
    { account_key: 0, key: 0, tyres: 0, spare: 0, labels: 0 },
    { colour: null, axles: 2, is_spare: false },
  ],
  [{ _id: 1 }, {}],
])('the projection %j leaves out what it names none of', async (projection, expected) => {
  const found = await TrailerStore.findOne(accessScope, { key: 'old' }, projection);
  const { _id, ...rest } = found ?? {};
  expect(rest).toEqual(expected);
  const updated = await TrailerStore.findOneAndUpdate(
    accessScope,
    { key: 'old' },
    { account_key: 'a' },
    { projection },
  );
  const { _id: same, ...restOfUpdated } = updated ?? {};
  expect(same).toEqual(_id);
  expect(restOfUpdated).toEqual(expected);
});

test('a default that is a function holds for new documents alone', async () => {
  expect(await TrailerStore.findOne(accessScope)).not.toHaveProperty('made');
  const made = await TrailerStore.create(unrestricted(testService), {
    key: 'new',
    account_key: 'a',
    tyres: [],
    labels: ['x'],
  });
  expect(made).toMatchObject({ axles: 2, is_spare: false, labels: ['x'], made: expect.any(Date) });
});

test('what is stored wins, and nothing is stored by reading', async () => {
  await testService.connection
    .collection('trailers')
    .insertOne({ key: 'full', account_key: 'a', axles: 0, labels: ['y'] });
  expect(await TrailerStore.findOne(accessScope, { key: 'full' })).toMatchObject({
    axles: 0,
    labels: ['y'],
  });
  const { _id, ...raw } = (await testService.connection.collection('trailers').findOne({ key: 'old' })) ?? {};
  expect(raw).toEqual(OLD);
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
