import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { aggregate, aggregateRead } from './aggregate.ts';
import {
  create,
  createIndexes,
  drop,
  dropDatabase,
  dropIndexes,
  listCollections,
  listDatabases,
  listIndexes,
} from './catalog.ts';
import type { Command, Handler, ReadCommand, ReadHandler, Reply } from './command.ts';
import { explain } from './explain.ts';
import { count, distinct, find, getMore, killCursors } from './find.ts';
import { acknowledge, buildInfo, connectionStatus, endSessions, hello, ping, serverStatus } from './handshake.ts';
import { findAndModify, insert, remove, update } from './write.ts';

/** The commands that a thread for heavy reads answers. */
const READS: Readonly<Record<string, ReadHandler>> = {
  find,
  getMore,
  count,
  distinct,
  aggregate: aggregateRead,
  explain,
};

/** Every command this server answers. */
const COMMANDS: Readonly<Record<string, Handler>> = {
  ...READS,
  hello,
  isMaster: hello,
  ismaster: hello,
  ping,
  buildInfo,
  buildinfo: buildInfo,
  connectionStatus,
  serverStatus,
  endSessions,
  commitTransaction: acknowledge,
  abortTransaction: acknowledge,
  insert,
  killCursors,
  update,
  delete: remove,
  findAndModify,
  findandmodify: findAndModify,
  aggregate,
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  createIndexes,
  listIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
};

/** Commands of MongoDB that this server does not have; any other name is not a command. */
const UNSUPPORTED =
  'bulkWrite collMod collStats compact convertToCapped currentOp dbStats filemd5 fsync getLog getParameter killOp killSessions mapReduce profile reIndex refreshSessions renameCollection saslContinue saslStart setParameter startSession top validate';

/** Answers a command in its session; throws for one that this server does not have. */
export async function runCommand(command: Omit<Command, 'store'>): Promise<Reply> {
  const { name, args, sessions } = command;
  const level = args.optionalDoc('readConcern')?.get('level');
  const isSnapshot = level === 'snapshot' && args.value('startTransaction') !== true;
  if (isSnapshot || level === 'linearizable') throw unsupported(`Read concern ${level}`);
  const handler = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (handler) return sessions.run(name, args, (store) => handler({ ...command, store }));
  if (UNSUPPORTED.split(' ').includes(name)) throw unsupported(`The command ${name}`);
  throw new MongoError('CommandNotFound', `no such command: '${name}'`);
}

/** Answers a command in a thread for heavy reads, if another has found it heavy. */
export function runRead(command: ReadCommand): Reply | Promise<Reply> {
  const handler = Object.hasOwn(READS, command.name) ? READS[command.name] : undefined;
  if (!handler) throw new MongoError('InternalError', `The command ${command.name} is not a read`);
  return handler(command);
}
