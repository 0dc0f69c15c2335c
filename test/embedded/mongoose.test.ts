import { Schema } from 'mongoose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { useEmbeddedDatabase } from './embedded-connection.ts';

interface Person {
  name: string;
  visits: number;
  tags: string[];
  seen: Date;
}

describe('Mongoose on the embedded database', () => {
  const database = useEmbeddedDatabase();
  let People: ReturnType<typeof storeOf>;

  const storeOf = () => {
    const schema = new Schema<Person>({
      name: { type: String, unique: true },
      visits: Number,
      tags: { type: [String], default: undefined },
      seen: Date,
    });
    return database.connection.model('Person', schema);
  };

  beforeAll(async () => {
    People = storeOf();
    await People.init();
  });

  beforeEach(async () => {
    await People.deleteMany({});
  });

  test('finds what it created', async () => {
    const seen = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
    await People.create({ name: 'Ada', visits: 3, tags: ['x', 'y'], seen });
    expect(await People.findOne({ tags: 'y' })).toMatchObject({
      name: 'Ada',
      visits: 3,
      tags: ['x', 'y'],
      seen,
    });
  });

  test('maps a duplicate key as MongoDB does', async () => {
    await People.create({ name: 'Ada' });
    await expect(People.create({ name: 'Ada' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { name: 1 },
      keyValue: { name: 'Ada' },
    });
  });

  test('loses none of 500 parallel increments', async () => {
    await People.create({ name: 'Ada', visits: 0 });
    await Promise.all(Array.from({ length: 500 }, () => People.updateOne({ name: 'Ada' }, { $inc: { visits: 1 } })));
    expect(await People.findOne({ name: 'Ada' })).toMatchObject({ visits: 500 });
  });

  test('makes one document of 100 parallel upserts of one key', async () => {
    await Promise.all(
      Array.from({ length: 100 }, () => People.updateOne({ name: 'Ada' }, { $inc: { visits: 1 } }, { upsert: true })),
    );
    expect(await People.find()).toMatchObject([{ name: 'Ada', visits: 100 }]);
  });

  test('lets one of 100 equal unique keys succeed and refuses 99', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => People.create({ name: 'Ada' })));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.code);
    expect(refused).toEqual(Array.from({ length: 99 }, () => 11000));
    expect(await People.countDocuments()).toBe(1);
  });

  test('streams a cursor over several batches', async () => {
    await People.insertMany(Array.from({ length: 250 }, (_, visits) => ({ name: `n${visits}`, visits })));
    const seen: number[] = [];
    for await (const person of People.find().sort({ visits: 1 }).cursor({ batchSize: 20 })) seen.push(person.visits);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, visits) => visits));
  });

  test('has transactions', async () => {
    const half = database.connection.transaction(async (session) => {
      await People.create([{ name: 'Ada' }], { session });
      throw new Error('not both');
    });
    await expect(half).rejects.toThrow('not both');
    expect(await People.countDocuments()).toBe(0);
    await database.connection.transaction(async (session) => {
      await People.create([{ name: 'Ada' }, { name: 'Grace' }], { session, ordered: true });
    });
    expect(await People.countDocuments()).toBe(2);
  });

  test('makes a capped collection, and streams what comes to it', async () => {
    interface Line {
      text: string;
    }
    const schema = new Schema<Line>({ text: String }, { capped: { size: 4096, max: 3 }, autoCreate: false });
    const Lines = database.connection.model('Line', schema);
    await Lines.createCollection();
    expect(await Lines.collection.options()).toEqual({ capped: true, size: 4096, max: 3 });
    for (const text of ['a', 'b', 'c', 'd']) await Lines.create({ text });
    const cursor = Lines.find()
      .tailable(true, { awaitData: true } as object)
      .cursor();
    const texts: string[] = [];
    for await (const { text } of cursor) {
      texts.push(text);
      if (text === 'f') break;
      if (text === 'd' || text === 'e') void Lines.create({ text: text === 'd' ? 'e' : 'f' });
    }
    expect(texts).toEqual(['b', 'c', 'd', 'e', 'f']);
    await cursor.close();
  });

  test('refuses a change stream and says what to do', async () => {
    const stream = People.collection.watch();
    await expect(stream.next()).rejects.toMatchObject({ code: 40573, message: expect.stringContaining('MONGODB_URI') });
    await stream.close();
  });

  test('keeps the indexes a schema asks for', async () => {
    expect(await People.collection.indexes()).toMatchObject([{ key: { _id: 1 } }, { key: { name: 1 }, unique: true }]);
  });
});
