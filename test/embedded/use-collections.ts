import type { mongo } from 'mongoose';
import { afterAll, beforeAll } from 'vitest';

import { startLocalServer } from './local-server.ts';
import type { LocalServer } from './local-server.ts';

type Doc = mongo.Document;

/** Makes new collections on an embedded server of the test file. */
export type MakeCollection = (docs: Doc[], index?: Doc) => Promise<mongo.Collection<Doc>>;

/** A maker of collections with some documents, whose ids are their places unless they say otherwise. */
export function useCollections(): MakeCollection {
  let server: LocalServer;
  let made = 0;
  beforeAll(async () => {
    server = await startLocalServer();
  });
  afterAll(() => server.close());
  return async (docs, index) => {
    const collection = server.client.db('test').collection<Doc>(`c${made++}`);
    if (index) await collection.createIndex(index as mongo.IndexSpecification);
    if (docs.length > 0) await collection.insertMany(docs.map((doc, _id) => ({ _id, ...doc })) as Doc as []);
    return collection;
  };
}
