import { Long } from 'bson';
import { MAX_BSON_SIZE } from '../bson/codec.ts';
import { mapOf } from '../bson/value.ts';
import { MAX_MESSAGE_SIZE } from '../wire/message.ts';
import { ok, type Handler } from './command.ts';
import { SESSION_TIMEOUT_MINUTES } from './sessions.ts';

/** The MongoDB version whose behavior this server follows. */
export const SERVER_VERSION = '7.0.0';

/** The wire version of that MongoDB. */
const WIRE_VERSION = 21;

/** Answers hello and its older name: the only member of a replica set, since drivers have transactions and retryable writes with no other. */
export const hello: Handler = ({ name }) =>
  ok({
    ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
    helloOk: true,
    setName: 'embedded',
    setVersion: 1,
    secondary: false,
    maxBsonObjectSize: MAX_BSON_SIZE,
    maxMessageSizeBytes: MAX_MESSAGE_SIZE,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: SESSION_TIMEOUT_MINUTES,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
  });

/** Answers buildInfo. */
export const buildInfo: Handler = () =>
  ok({
    version: SERVER_VERSION,
    versionArray: SERVER_VERSION.split('.').map(Number).concat(0),
    gitVersion: 'waybridge-embedded',
    modules: [],
    storageEngines: ['sqlite'],
    maxBsonObjectSize: MAX_BSON_SIZE,
    bits: 64,
    debug: false,
  });

/** Answers a command that has no effect here. */
export const acknowledge: Handler = () => ok();

/** Answers ping, with an error if the disk could not be read lately. */
export const ping: Handler = ({ faults }) => {
  faults.throwLatest();
  return ok();
};

/** Answers endSessions. */
export const endSessions: Handler = ({ args, sessions }) => {
  sessions.end(args.array('endSessions'));
  return ok();
};

/** Answers serverStatus with the numbers of cursors and snapshots left open. */
export const serverStatus: Handler = ({ cursors, store, readers }) => {
  const others = readers?.open ?? { threads: 0, cursors: 0, snapshots: 0 };
  return ok({
    version: SERVER_VERSION,
    process: 'waybridge-embedded',
    localTime: new Date(),
    metrics: mapOf({ cursor: mapOf({ open: mapOf({ total: Long.fromNumber(cursors.size + others.cursors) }) }) }),
    embedded: mapOf({ openSnapshots: store.openSnapshots + others.snapshots, readerThreads: others.threads }),
  });
};

/** Answers connectionStatus: there is no authentication. */
export const connectionStatus: Handler = () =>
  ok({ authInfo: mapOf({ authenticatedUsers: [], authenticatedUserRoles: [] }) });
