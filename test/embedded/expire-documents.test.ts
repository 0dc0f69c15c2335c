import { afterAll, beforeAll, expect, test } from 'vitest';

import { expireDocuments } from '../../embedded/expire-documents.ts';
import { startLocalServer } from './local-server.ts';
import type { LocalServer } from './local-server.ts';

const NOW = new Date(Date.UTC(2026, 0, 1, 12));
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

let server: LocalServer;

beforeAll(async () => {
  server = await startLocalServer();
});

afterAll(() => server.close());

test('a TTL index removes what is over, and only that', async () => {
  const tokens = server.client.db('test').collection<{ _id: number; until?: unknown }>('tokens');
  await tokens.createIndex({ until: 1 }, { expireAfterSeconds: 60 });
  await tokens.insertMany([
    { _id: 0, until: ago(61) },
    { _id: 1, until: ago(59) },
    { _id: 2 },
    { _id: 3, until: 5 },
    { _id: 4, until: [ago(0), ago(90)] },
  ]);
  expect(await server.store.write((writer) => expireDocuments(writer, NOW))).toBe(2);
  expect((await tokens.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([1, 2, 3]);
});

test('a partial TTL index removes only its own documents', async () => {
  const jobs = server.client.db('test').collection<{ _id: number; at: Date; done: boolean }>('jobs');
  await jobs.createIndex({ at: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { done: true } });
  await jobs.insertMany([
    { _id: 0, at: ago(5), done: false },
    { _id: 1, at: ago(5), done: true },
  ]);
  await server.store.write((writer) => expireDocuments(writer, NOW));
  expect((await jobs.find().toArray()).map(({ _id }) => _id)).toEqual([0]);
});
