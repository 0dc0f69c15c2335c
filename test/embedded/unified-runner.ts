import { mongo } from 'mongoose';

import { mismatch } from './unified-match.ts';

type Fields = Record<string, unknown>;

/** One of MongoDB's "unified" tests, in the part of the format that its CRUD tests use. */
export interface UnifiedTest {
  readonly description: string;
  readonly runOnRequirements?: Requirement[];
  readonly skipReason?: string;
  readonly operations: Operation[];
  readonly expectEvents?: Array<{ client: string; events: Array<Record<string, Fields>>; ignoreExtraEvents?: boolean }>;
  readonly outcome?: InitialData[];
}

/** A file of unified tests. */
export interface UnifiedFile {
  readonly description: string;
  readonly runOnRequirements?: Requirement[];
  readonly createEntities: Array<Record<string, EntitySpec>>;
  readonly initialData?: InitialData[];
  readonly tests: UnifiedTest[];
}

interface EntitySpec {
  readonly id: string;
  readonly client?: string;
  readonly database?: string;
  readonly databaseName?: string;
  readonly collectionName?: string;
  readonly uriOptions?: Fields;
  readonly databaseOptions?: Fields;
  readonly collectionOptions?: Fields;
}

interface Requirement {
  readonly minServerVersion?: string;
  readonly maxServerVersion?: string;
  readonly topologies?: string[];
}

interface InitialData {
  readonly databaseName: string;
  readonly collectionName: string;
  readonly documents: Fields[];
}

interface Operation {
  readonly object: string;
  readonly name: string;
  readonly arguments?: Fields;
  readonly expectError?: Fields;
  readonly expectResult?: unknown;
  readonly saveResultAsEntity?: string;
}

/** Says whether a test is meant for a standalone server of a version. */
export function isEligible(version: string, ...requirements: Array<Requirement[] | undefined>): boolean {
  return requirements.every((list) => !list || list.some((requirement) => satisfies(version, requirement)));
}

/** Says whether a test makes the server fail on command, which only a server built for tests does. */
export function needsFailPoint({ operations }: UnifiedTest): boolean {
  return operations.some(({ name }) => name === 'failPoint');
}

/** Runs one test; throws where the server (or the driver) does not do what the test says. */
export async function runUnifiedTest(uri: string, file: UnifiedFile, test: UnifiedTest): Promise<void> {
  const control = await new mongo.MongoClient(uri).connect();
  const entities = new Map<string, unknown>();
  const events = new Map<string, Array<{ name: string; event: mongo.CommandStartedEvent }>>();
  const clients: mongo.MongoClient[] = [control];
  try {
    for (const data of file.initialData ?? []) await restore(control, data);
    for (const entity of file.createEntities) clients.push(...(await createEntity(uri, entity, entities, events)));
    for (const operation of test.operations) await runOperation(operation, entities);
    for (const expected of test.expectEvents ?? []) checkEvents(expected, events.get(expected.client) ?? []);
    for (const { databaseName, collectionName, documents } of test.outcome ?? []) {
      const found = await control.db(databaseName).collection(collectionName).find().sort({ _id: 1 }).toArray();
      complain(mismatch(documents, found, false, 'outcome'));
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

async function restore(
  client: mongo.MongoClient,
  { databaseName, collectionName, documents }: InitialData,
): Promise<void> {
  const collection = client.db(databaseName).collection(collectionName);
  await collection.drop();
  if (documents.length > 0) await collection.insertMany(documents);
  else await client.db(databaseName).createCollection(collectionName);
}

async function createEntity(
  uri: string,
  entity: Record<string, EntitySpec>,
  entities: Map<string, unknown>,
  events: Map<string, Array<{ name: string; event: mongo.CommandStartedEvent }>>,
) {
  const [[kind, spec] = ['', { id: '' }]] = Object.entries(entity);
  if (kind === 'client') {
    const client = new mongo.MongoClient(uri, { monitorCommands: true, ...spec.uriOptions });
    const seen: Array<{ name: string; event: mongo.CommandStartedEvent }> = [];
    events.set(spec.id, seen);
    client.on('commandStarted', (event) => {
      if (!['hello', 'isMaster', 'ismaster', 'endSessions', 'killCursors'].includes(event.commandName))
        seen.push({ name: event.commandName, event: structuredEvent(event) });
    });
    entities.set(spec.id, await client.connect());
    return [client];
  }
  if (kind === 'database') {
    const client = entities.get(String(spec.client)) as mongo.MongoClient;
    entities.set(spec.id, client.db(String(spec.databaseName), optionsOf(spec.databaseOptions)));
  } else if (kind === 'collection') {
    const db = entities.get(String(spec.database)) as mongo.Db;
    entities.set(spec.id, db.collection(String(spec.collectionName), optionsOf(spec.collectionOptions)));
  } else throw new Error(`The runner does not make a ${kind}`);
  return [];
}

function structuredEvent(event: mongo.CommandStartedEvent): mongo.CommandStartedEvent {
  return {
    ...event,
    commandName: event.commandName,
    databaseName: event.databaseName,
    command: event.command,
  } as mongo.CommandStartedEvent;
}

async function runOperation(operation: Operation, entities: Map<string, unknown>): Promise<void> {
  let result: unknown;
  try {
    result = await perform(entities.get(operation.object), operation);
  } catch (error) {
    checkError(operation, error);
    return;
  }
  if (operation.expectError) throw new Error(`${operation.name} should have failed`);
  if ('expectResult' in operation) complain(mismatch(operation.expectResult, result, true, operation.name));
}

async function perform(target: unknown, { name, arguments: given = {} }: Operation): Promise<unknown> {
  const { filter, document, documents, update, replacement, pipeline, requests, models, fieldName, ...options } = given;
  const fields = filter as mongo.Filter<mongo.Document>;
  const change = update as mongo.UpdateFilter<mongo.Document>;
  if (target instanceof mongo.Db) {
    if (name === 'aggregate') return target.aggregate(pipeline as mongo.Document[], options).toArray();
    if (name === 'createCollection')
      return void (await target.createCollection(String(given.collection), createOptions(given)));
    if (name === 'dropCollection') return target.dropCollection(String(given.collection));
    if (name === 'modifyCollection') return target.command({ collMod: given.collection, validator: given.validator });
  }
  if (target instanceof mongo.MongoClient && name === 'clientBulkWrite')
    return target.bulkWrite((models as Fields[]).map(clientModel) as never, options);
  if (!(target instanceof mongo.Collection)) throw new Error(`The runner does not do ${name}`);
  const collection = target as mongo.Collection;
  switch (name) {
    case 'find':
      return collection.find(fields, options).toArray();
    case 'findOne':
      return collection.findOne(fields, options);
    case 'aggregate':
      return collection.aggregate(pipeline as mongo.Document[], options).toArray();
    case 'insertOne':
      return collection.insertOne(document as mongo.Document, options);
    case 'insertMany':
      return collection.insertMany(documents as mongo.Document[], options);
    case 'updateOne':
      return collection.updateOne(fields, change, options);
    case 'updateMany':
      return collection.updateMany(fields, change, options);
    case 'replaceOne':
      return collection.replaceOne(fields, replacement as mongo.Document, options);
    case 'deleteOne':
      return collection.deleteOne(fields, options);
    case 'deleteMany':
      return collection.deleteMany(fields, options);
    case 'findOneAndUpdate':
      return collection.findOneAndUpdate(fields, change, lowered(options));
    case 'findOneAndReplace':
      return collection.findOneAndReplace(fields, replacement as mongo.Document, lowered(options));
    case 'findOneAndDelete':
      return collection.findOneAndDelete(fields, options);
    case 'countDocuments':
      return collection.countDocuments(fields, options);
    case 'estimatedDocumentCount':
      return collection.estimatedDocumentCount(options);
    case 'count':
      return collection.count(fields, options);
    case 'distinct':
      return collection.distinct(String(fieldName), fields, options);
    case 'createIndex':
      return collection.createIndex(given.keys as mongo.IndexSpecification, {
        name: String(given.name),
        unique: given.unique === true,
      });
    case 'bulkWrite':
      return collection.bulkWrite(requests as never, options);
    default:
      throw new Error(`The runner does not do ${name}`);
  }
}

function createOptions({ viewOn, pipeline, validator }: Fields): Fields {
  return Object.fromEntries(Object.entries({ viewOn, pipeline, validator }).filter(([, value]) => value !== undefined));
}

function lowered(options: Fields): Fields {
  const { returnDocument, ...rest } = options;
  return returnDocument === undefined ? rest : { ...rest, returnDocument: String(returnDocument).toLowerCase() };
}

function clientModel(model: Fields): Fields {
  const [[name, fields] = ['', {}]] = Object.entries(model) as Array<[string, Fields]>;
  return { name, ...fields };
}

function checkError(operation: Operation, error: unknown): void {
  const { expectError: expected } = operation;
  if (!expected) throw error;
  const failure = error as mongo.MongoServerError;
  if (expected.isClientError === true && error instanceof mongo.MongoServerError) throw error;
  if (expected.errorCode !== undefined && failure.code !== expected.errorCode) throw error;
  if (
    expected.errorContains !== undefined &&
    !failure.message.toLowerCase().includes(String(expected.errorContains).toLowerCase())
  )
    throw error;
  if (expected.errorResponse !== undefined)
    complain(mismatch(expected.errorResponse, failure.errorResponse, true, 'error response'));
  if (expected.expectResult !== undefined)
    complain(mismatch(expected.expectResult, (error as mongo.MongoBulkWriteError).result, true, 'result of the error'));
}

function checkEvents(
  expected: NonNullable<UnifiedTest['expectEvents']>[number],
  actual: Array<{ name: string; event: mongo.CommandStartedEvent }>,
): void {
  if (!expected.ignoreExtraEvents && expected.events.length !== actual.length) {
    throw new Error(`Expected ${expected.events.length} commands, saw ${actual.map(({ name }) => name).join()}`);
  }
  for (const [index, event] of expected.events.entries()) {
    const wanted = event.commandStartedEvent;
    if (!wanted) continue;
    const seen = actual[index]?.event;
    if (wanted.commandName !== undefined && seen?.commandName !== wanted.commandName)
      throw new Error(`Expected the command ${String(wanted.commandName)}, saw ${seen?.commandName}`);
    if (wanted.databaseName !== undefined && seen?.databaseName !== wanted.databaseName)
      throw new Error(`Expected the database ${String(wanted.databaseName)}`);
    complain(mismatch(wanted.command, seen?.command, true, 'command'));
  }
}

function optionsOf(options: unknown): Fields {
  const { readConcern, writeConcern } = (options ?? {}) as Fields;
  return { ...(readConcern ? { readConcern } : {}), ...(writeConcern ? { writeConcern } : {}) };
}

function complain(reason: string | undefined): void {
  if (reason) throw new Error(reason);
}

function satisfies(version: string, { minServerVersion, maxServerVersion, topologies }: Requirement): boolean {
  if (minServerVersion && compareVersions(version, minServerVersion) < 0) return false;
  if (maxServerVersion && compareVersions(version, maxServerVersion) > 0) return false;
  return !topologies || topologies.includes('single');
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let place = 0; place < 3; place += 1) {
    const order = (left[place] ?? 0) - (right[place] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
