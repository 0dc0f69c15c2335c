import { mongo } from 'mongoose';

import { mismatch } from './unified-match.ts';

type Fields = Record<string, unknown>;

/** One of MongoDB's "unified" tests, in the part of the format that its tests of CRUD, transactions and retryable writes use. */
export interface UnifiedTest {
  readonly description: string;
  readonly runOnRequirements?: Requirement[];
  readonly skipReason?: string;
  readonly operations: Operation[];
  readonly expectEvents?: Array<{
    client: string;
    eventType?: string;
    events: Array<Record<string, Fields>>;
    ignoreExtraEvents?: boolean;
  }>;
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
  readonly sessionOptions?: Fields;
  readonly databaseOptions?: Fields;
  readonly collectionOptions?: Fields;
}

interface Requirement {
  readonly minServerVersion?: string;
  readonly maxServerVersion?: string;
  readonly topologies?: string[];
  readonly auth?: boolean;
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

/** Says whether a test is meant for a replica set of a version, of which the server is the only member. */
export function isEligible(version: string, ...requirements: Array<Requirement[] | undefined>): boolean {
  return requirements.every((list) => !list || list.some((requirement) => satisfies(version, requirement)));
}

/** Runs one test; throws where the server (or the driver) does not do what the test says. */
export async function runUnifiedTest(uri: string, file: UnifiedFile, test: UnifiedTest): Promise<void> {
  const control = await new mongo.MongoClient(uri).connect();
  const run: Run = { uri, control, entities: new Map(), events: new Map(), clients: [control] };
  const { clients, events } = run;
  try {
    for (const data of file.initialData ?? []) await restore(control, data);
    for (const entity of file.createEntities) await createEntity(run, entity);
    for (const operation of test.operations) await runOperation(operation, run);
    await endSessions(run);
    for (const expected of test.expectEvents ?? []) {
      if ((expected.eventType ?? 'command') === 'command')
        checkEvents(expected, events.get(expected.client) ?? [], run);
    }
    for (const { databaseName, collectionName, documents } of test.outcome ?? []) {
      const found = await control.db(databaseName).collection(collectionName).find().sort({ _id: 1 }).toArray();
      complain(mismatch(documents, found, false, 'outcome'));
    }
  } finally {
    for (const configureFailPoint of ['failCommand', 'onPrimaryTransactionalWrite'])
      await control
        .db('admin')
        .command({ configureFailPoint, mode: 'off' })
        .catch(() => undefined);
    await endSessions(run);
    await Promise.all(clients.map((client) => client.close()));
  }
}

/** The state of a test that runs. */
interface Run {
  readonly uri: string;
  readonly control: mongo.MongoClient;
  readonly entities: Map<string, unknown>;
  readonly events: Map<string, Array<{ name: string; event: mongo.CommandStartedEvent }>>;
  readonly clients: mongo.MongoClient[];
}

async function endSessions({ entities }: Run): Promise<void> {
  for (const entity of entities.values()) if (entity instanceof mongo.ClientSession) await entity.endSession();
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
  { uri, entities, events, clients }: Run,
  entity: Record<string, EntitySpec>,
): Promise<void> {
  const [[kind, spec] = ['', { id: '' }]] = Object.entries(entity);
  if (kind === 'client') {
    const client = new mongo.MongoClient(uri, { monitorCommands: true, ...spec.uriOptions });
    const seen: Array<{ name: string; event: mongo.CommandStartedEvent }> = [];
    events.set(spec.id, seen);
    client.on('commandStarted', (event) => {
      if (!['hello', 'isMaster', 'ismaster', 'endSessions', 'killCursors'].includes(event.commandName))
        seen.push({ name: event.commandName, event: structuredEvent(event) });
    });
    clients.push(client);
    entities.set(spec.id, await client.connect());
    return;
  }
  if (kind === 'database') {
    const client = entities.get(String(spec.client)) as mongo.MongoClient;
    entities.set(spec.id, client.db(String(spec.databaseName), optionsOf(spec.databaseOptions)));
  } else if (kind === 'collection') {
    const db = entities.get(String(spec.database)) as mongo.Db;
    entities.set(spec.id, db.collection(String(spec.collectionName), optionsOf(spec.collectionOptions)));
  } else if (kind === 'session') {
    const client = entities.get(String(spec.client)) as mongo.MongoClient;
    entities.set(spec.id, client.startSession(spec.sessionOptions));
  } else throw new Error(`The runner does not make a ${kind}`);
}

/** An event as it is now: the driver changes the command before it sends it again. */
function structuredEvent(event: mongo.CommandStartedEvent): mongo.CommandStartedEvent {
  return {
    ...event,
    commandName: event.commandName,
    databaseName: event.databaseName,
    command: mongo.BSON.deserialize(mongo.BSON.serialize(event.command, { ignoreUndefined: true })),
  } as mongo.CommandStartedEvent;
}

/** Runs an operation and checks it; returns the error that it was to have. */
async function runOperation(operation: Operation, run: Run): Promise<unknown> {
  let result: unknown;
  try {
    const given = withSession(operation.arguments ?? {}, run);
    if (operation.object === 'testRunner') result = await performHere(operation.name, given, run);
    else {
      const target = run.entities.get(operation.object);
      if (target instanceof mongo.ClientSession) result = await performInSession(target, operation.name, given, run);
      else result = await perform(target, { ...operation, arguments: given });
    }
  } catch (error) {
    checkError(operation, error);
    return error;
  }
  if (operation.expectError) throw new Error(`${operation.name} should have failed`);
  if ('expectResult' in operation) complain(mismatch(operation.expectResult, result, true, operation.name));
  return undefined;
}

/** Options with the session that they name. */
function withSession(given: Fields, { entities }: Run): Fields {
  return typeof given.session === 'string' ? { ...given, session: entities.get(given.session) } : given;
}

/** The operations on a session. */
async function performInSession(session: mongo.ClientSession, name: string, given: Fields, run: Run): Promise<unknown> {
  const { callback, ...options } = given;
  switch (name) {
    case 'startTransaction':
      return session.startTransaction(options);
    case 'commitTransaction':
      return session.commitTransaction();
    case 'abortTransaction':
      return session.abortTransaction();
    case 'endSession':
      return session.endSession();
    case 'withTransaction':
      return session.withTransaction(async () => {
        for (const operation of callback as Operation[]) {
          const expected = await runOperation(operation, run);
          if (expected !== undefined) throw expected;
        }
      }, options);
    default:
      throw new Error(`The runner does not do ${name}`);
  }
}

/** States of a transaction, as the driver names them. */
const STATES: Readonly<Record<string, string>> = {
  none: 'NO_TRANSACTION',
  starting: 'STARTING_TRANSACTION',
  in_progress: 'TRANSACTION_IN_PROGRESS',
  committed: 'TRANSACTION_COMMITTED',
  aborted: 'TRANSACTION_ABORTED',
};

/** The operations of the runner: fail points, further entities, and what must hold. */
async function performHere(name: string, given: Fields, run: Run): Promise<unknown> {
  const { control } = run;
  const collections = async () => control.db(String(given.databaseName)).listCollections().toArray();
  const hasCollection = async () => (await collections()).some(({ name: found }) => found === given.collectionName);
  const hasIndex = async () => {
    const found = control.db(String(given.databaseName)).collection(String(given.collectionName));
    return (await hasCollection()) && found.indexExists(String(given.indexName));
  };
  switch (name) {
    case 'failPoint':
      return control.db('admin').command(given.failPoint as mongo.Document);
    case 'createEntities':
      for (const entity of given.entities as Array<Record<string, EntitySpec>>) await createEntity(run, entity);
      return undefined;
    case 'assertCollectionExists':
      return demand(await hasCollection(), name);
    case 'assertCollectionNotExists':
      return demand(!(await hasCollection()), name);
    case 'assertIndexExists':
      return demand(await hasIndex(), name);
    case 'assertIndexNotExists':
      return demand(!(await hasIndex()), name);
    case 'assertSessionTransactionState': {
      const { transaction } = given.session as unknown as { transaction: { state: string } };
      return demand(STATES[String(given.state)] === transaction.state, name);
    }
    case 'assertSessionUnpinned':
      return demand(!(given.session as mongo.ClientSession).isPinned, name);
    default:
      throw new Error(`The runner does not do ${name}`);
  }
}

function demand(condition: boolean, name: string): void {
  if (!condition) throw new Error(`${name} does not hold`);
}

async function perform(target: unknown, { name, arguments: given = {} }: Operation): Promise<unknown> {
  const { filter, document, documents, update, replacement, pipeline, requests, models, fieldName, ...options } = given;
  const fields = filter as mongo.Filter<mongo.Document>;
  const change = update as mongo.UpdateFilter<mongo.Document>;
  if (target instanceof mongo.Db) {
    if (name === 'aggregate') return target.aggregate(pipeline as mongo.Document[], options).toArray();
    if (name === 'createCollection')
      return void (await target.createCollection(String(given.collection), createOptions(given)));
    if (name === 'dropCollection')
      return target.dropCollection(String(given.collection), { session: given.session as never });
    if (name === 'runCommand') {
      const { command, commandName: _, ...runOptions } = given;
      return target.command(command as mongo.Document, runOptions);
    }
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
        ...(given.unique === true && { unique: true }),
        session: given.session as never,
      });
    case 'bulkWrite':
      return collection.bulkWrite(requests as never, options);
    default:
      throw new Error(`The runner does not do ${name}`);
  }
}

function createOptions({ viewOn, pipeline, validator, session }: Fields): Fields {
  return Object.fromEntries(
    Object.entries({ viewOn, pipeline, validator, session }).filter(([, value]) => value !== undefined),
  );
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
  for (const label of (expected.errorLabelsContain ?? []) as string[])
    if (!failure.hasErrorLabel(label)) throw new Error(`The error has no label ${label}: ${failure.message}`);
  for (const label of (expected.errorLabelsOmit ?? []) as string[])
    if (failure.hasErrorLabel?.(label)) throw new Error(`The error has the label ${label}: ${failure.message}`);
  if (expected.errorCodeName !== undefined && failure.codeName !== expected.errorCodeName) throw error;
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
  run: Run,
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
    complain(mismatch(withDetails(wanted.command, run), seen?.command, true, 'command'));
  }
}

/** An expected command with the id of the session that it names, and the time limit that the driver adds to write concerns. */
function withDetails(command: unknown, { entities }: Run): unknown {
  const { lsid, writeConcern } = (command ?? {}) as { lsid?: { $$sessionLsid?: string }; writeConcern?: Fields };
  const session = entities.get(lsid?.$$sessionLsid ?? '') as mongo.ClientSession | undefined;
  return {
    ...(command as Fields),
    ...(session && { lsid: session.id }),
    ...(writeConcern?.w !== undefined && { writeConcern: { wtimeout: { $$unsetOrMatches: 10_000 }, ...writeConcern } }),
  };
}

function optionsOf(options: unknown): Fields {
  const { readConcern, writeConcern, readPreference } = (options ?? {}) as Fields;
  return Object.fromEntries(
    Object.entries({ readConcern, writeConcern, readPreference }).filter(([, option]) => option),
  );
}

function complain(reason: string | undefined): void {
  if (reason) throw new Error(reason);
}

function satisfies(version: string, { minServerVersion, maxServerVersion, topologies, auth }: Requirement): boolean {
  if (minServerVersion && compareVersions(version, minServerVersion) < 0) return false;
  if (maxServerVersion && compareVersions(version, maxServerVersion) > 0) return false;
  return !auth && (!topologies || topologies.includes('replicaset'));
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let place = 0; place < 3; place += 1) {
    const order = (left[place] ?? 0) - (right[place] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
