import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mongo } from 'mongoose';

import { formatReply, MessageSplitter } from '../../embedded/wire/message.ts';

const { BSON } = mongo;

type Fields = Record<string, unknown>;

const OP_MSG = 2013;

/** Errors after which a write may be sent again, and those after which a transaction may, by MongoDB's numbers. */
const RETRYABLE: ReadonlySet<unknown> = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
const TRANSIENT: ReadonlySet<unknown> = new Set([24, 112, 246, 251, 267]);

/** Names of errors that tests ask for. */
const CODE_NAMES: Readonly<Record<number, string>> = { 50: 'MaxTimeMSExpired', 11601: 'Interrupted' };

/** MongoDB's `failCommand`, and `onPrimaryTransactionalWrite` with its older words for the same. */
interface FailPoint {
  readonly configureFailPoint: string;
  readonly mode: 'off' | 'alwaysOn' | { readonly times?: number; readonly skip?: number };
  readonly data?: {
    readonly failCommands?: readonly string[];
    readonly closeConnection?: boolean;
    readonly errorCode?: number;
    readonly errorLabels?: readonly string[];
    readonly writeConcernError?: Fields;
    readonly failBeforeCommitExceptionCode?: number;
  };
}

/** A server that hands messages on to another, and fails where MongoDB's own tests ask for it, as MongoDB built for tests does. */
export interface FailingServer {
  readonly uri: string;
  close(): Promise<void>;
}

/** Starts one in front of a server on a Unix socket. */
export async function startFailingServer(socketPath: string): Promise<FailingServer> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  const path = join(folder, 'db.sock');
  const points = new Map<string, FailPoint>();
  const server = createServer((client) => handOn(client, connect(socketPath), points));
  await new Promise<void>((listening) => server.listen(path, listening));
  return {
    uri: `mongodb://${encodeURIComponent(path)}/?directConnection=true`,
    close: async () => {
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true });
    },
  };
}

function handOn(client: Socket, server: Socket, points: Map<string, FailPoint>): void {
  let fault: Fault | undefined;
  const end = () => {
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.on('error', end).on('close', end);
  client.on(
    'data',
    messages((message) => {
      const command = commandOf(message);
      if (!command) return void server.write(message);
      if ('configureFailPoint' in command) {
        points.set(String(command.configureFailPoint), command as unknown as FailPoint);
        return void client.write(answerTo(message, { ok: 1 }));
      }
      fault = takeFault(points, command);
      if (fault?.before) client.write(answerTo(message, fault.before));
      else if (fault?.isClosed && !fault.isAfter) end();
      else server.write(message);
    }),
  );
  server.on(
    'data',
    messages((message) => {
      if (fault?.isClosed) return end();
      client.write(fault?.after ? withFields(message, fault.after) : message);
    }),
  );
}

/** Consequences of a fail point for one command. */
interface Fault {
  readonly isClosed?: boolean;
  /** True where the connection is closed only after the command has been executed. */
  readonly isAfter?: boolean;
  /** The answer in place of an execution. */
  readonly before?: Fields;
  /** Fields that are added to the answer. */
  readonly after?: Fields;
}

function takeFault(points: Map<string, FailPoint>, command: Fields): Fault | undefined {
  const [name = ''] = Object.keys(command);
  for (const [point, { mode, data = {} }] of points) {
    const isWrite = command.txnNumber !== undefined && command.autocommit !== false;
    const isMeant =
      point === 'failCommand' ? data.failCommands?.includes(name) : isWrite && !executed.has(numberOf(command));
    if (!isMeant || !isDue(points, point, mode)) continue;
    if (point !== 'failCommand') {
      const code = data.failBeforeCommitExceptionCode;
      if (code !== undefined) return { isClosed: true };
      executed.add(numberOf(command));
      return { isClosed: true, isAfter: true };
    }
    if (data.closeConnection) return { isClosed: true };
    const { errorCode: code, writeConcernError } = data;
    const labels = labelsOf(data, command);
    if (code !== undefined) {
      return { before: { ok: 0, code, codeName: CODE_NAMES[code] ?? 'Fail', errmsg: 'failCommand', ...labels } };
    }
    if (writeConcernError) return { after: { writeConcernError, ...labels } };
  }
  return undefined;
}

/** Writes that have been executed although their answers were lost: repeated, they are not executed again, and cannot fail. */
const executed = new Set<string>();

function numberOf({ lsid, txnNumber }: Fields): string {
  return BSON.EJSON.stringify({ lsid, txnNumber });
}

/** The labels of an error: those that the fail point names, else those that a server gives. */
function labelsOf(
  { errorCode, errorLabels, writeConcernError }: NonNullable<FailPoint['data']>,
  command: Fields,
): Fields {
  const named = errorLabels ?? (writeConcernError?.errorLabels as readonly string[] | undefined);
  if (named) return named.length > 0 ? { errorLabels: named } : {};
  const isEnding = 'commitTransaction' in command || 'abortTransaction' in command;
  const isTransaction = command.autocommit === false;
  const isRetryable = RETRYABLE.has(errorCode ?? writeConcernError?.code);
  if (isRetryable && (isEnding || !isTransaction) && command.txnNumber) return { errorLabels: ['RetryableWriteError'] };
  const isTransient = errorCode !== undefined && (TRANSIENT.has(errorCode) || (isRetryable && !isEnding));
  return isTransaction && isTransient ? { errorLabels: ['TransientTransactionError'] } : {};
}

function isDue(points: Map<string, FailPoint>, name: string, mode: FailPoint['mode']): boolean {
  if (mode === 'off' || mode === 'alwaysOn') return mode === 'alwaysOn';
  const point = points.get(name) as FailPoint;
  if (mode.skip) {
    points.set(name, { ...point, mode: mode.skip > 1 ? { skip: mode.skip - 1 } : 'alwaysOn' });
    return false;
  }
  const times = mode.times ?? 0;
  points.set(name, { ...point, mode: times > 1 ? { times: times - 1 } : 'off' });
  return times > 0;
}

/** Makes a listener that uses each message of a stream. */
function messages(use: (message: Buffer) => void): (chunk: Buffer) => void {
  const splitter = new MessageSplitter();
  return (chunk) => splitter.push(chunk).forEach(use);
}

/** The first section of an OP_MSG, without the sequences of documents after it. */
function commandOf(message: Buffer): Fields | undefined {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  return BSON.deserialize(message.subarray(21, 21 + message.readInt32LE(21)), { promoteLongs: true });
}

function answerTo(request: Buffer, body: Fields): Buffer {
  return answerOf(request.readInt32LE(4), body);
}

function withFields(answer: Buffer, fields: Fields): Buffer {
  const body = BSON.deserialize(answer.subarray(21), { promoteValues: false });
  return answerOf(answer.readInt32LE(8), { ...body, ...fields });
}

function answerOf(requestId: number, body: Fields): Buffer {
  return formatReply(requestId, false, Buffer.from(BSON.serialize(body)));
}
