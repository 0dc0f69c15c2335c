import 'reflect-metadata';

import mongoose from 'mongoose';
import { Field, Int, ObjectType } from 'type-graphql';
import { beforeAll, describe, expect, test } from 'vitest';

import { collectionOptions } from '../../models/collection-options.ts';
import { modelOf } from '../../models/model-of.ts';
import { defaulting, required } from '../../models/stored-fields.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import { useDatabase } from '../services/database.ts';

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

const TrailerModel = modelOf(Trailer, {
  collection: 'trailers',
  tenancy: 'account',
  hidden: { account_key: required(String), made: defaulting(Date, () => new Date()) },
});

const HandMadeModel = mongoose.model<{
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

const accessScope = UNRESTRICTED;
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
beforeAll(async () => {
  await mongoose.connection.collection('trailers').insertOne(structuredClone(OLD));
  await mongoose.connection.collection('hand_made').insertMany([{}, {}]);
});

describe('a document from before its model had a field has the default of the field', () => {
  test.each([
    ['find', () => TrailerModel.find({ key: 'old' }, { _id: 0 }, { accessScope }).lean()],
    ['findOne', async () => [await TrailerModel.findOne({ key: 'old' }, { _id: 0 }, { accessScope }).lean()]],
    [
      'findOne with orFail',
      async () => [await TrailerModel.findOne({ key: 'old' }, { _id: 0 }, { accessScope }).orFail().lean()],
    ],
    ['cursor', () => all(TrailerModel.find({ key: 'old' }, { _id: 0 }, { accessScope }).lean().cursor())],
    [
      'cursor in batches',
      () => all(TrailerModel.find({ key: 'old' }, { _id: 0 }, { accessScope }).lean().cursor({ batchSize: 1 })),
    ],
    [
      'findOneAndUpdate',
      async () => [
        await TrailerModel.findOneAndUpdate(
          { key: 'old' },
          { account_key: 'a' },
          { accessScope, projection: { _id: 0 } },
        ).lean(),
      ],
    ],
  ] as const)('read by %s', async (_, read) => {
    expect(await read()).toEqual([READ]);
  });

  test('and of a hand-made model, with a separate list and object for each document', async () => {
    const [one, other] = await HandMadeModel.find({}, { _id: 0 }).lean();
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
  const found = await TrailerModel.findOne({ key: 'old' }, projection, { accessScope }).lean<Record<string, unknown>>();
  const { _id, ...rest } = found ?? {};
  expect(rest).toEqual(expected);
  const updated = await TrailerModel.findOneAndUpdate(
    { key: 'old' },
    { account_key: 'a' },
    { accessScope, projection },
  ).lean<Record<string, unknown>>();
  const { _id: same, ...restOfUpdated } = updated ?? {};
  expect(same).toEqual(_id);
  expect(restOfUpdated).toEqual(expected);
});

test('a default that is a function holds for new documents alone', async () => {
  expect(await TrailerModel.findOne({}, null, { accessScope }).lean()).not.toHaveProperty('made');
  const [made] = await TrailerModel.create([{ key: 'new', account_key: 'a', tyres: [], labels: ['x'] }]);
  expect(made).toMatchObject({ axles: 2, is_spare: false, labels: ['x'], made: expect.any(Date) });
});

test('what is stored wins, and nothing is stored by reading', async () => {
  await mongoose.connection
    .collection('trailers')
    .insertOne({ key: 'full', account_key: 'a', axles: 0, labels: ['y'] });
  expect(await TrailerModel.findOne({ key: 'full' }, null, { accessScope }).lean()).toMatchObject({
    axles: 0,
    labels: ['y'],
  });
  const { _id, ...raw } = (await mongoose.connection.collection('trailers').findOne({ key: 'old' })) ?? {};
  expect(raw).toEqual(OLD);
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
