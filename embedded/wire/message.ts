import { MongoError, check } from '../bson/mongo-error.ts';
import { decode, encode } from '../bson/codec.ts';
import type { Doc, Value } from '../bson/value.ts';

/** Maximum size of a message, in bytes, as in MongoDB. */
export const MAX_MESSAGE_SIZE = 48_000_000;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;

/** A request of a client: one command document that holds its sequences of documents. */
export interface Request {
  readonly id: number;
  readonly command: Doc;
  /** The encoded bytes of the documents of a sequence, by document, which are stored without encoding them again. */
  readonly raw: ReadonlyMap<Value, Buffer>;
  /** True if the client waits for an answer. */
  readonly wantsReply: boolean;
  /** True for the legacy OP_QUERY, which is answered by OP_REPLY. */
  readonly isLegacy: boolean;
}

/** Splits a stream of bytes into messages; throws for invalid messages. */
export class MessageSplitter {
  #chunks: Buffer[] = [];
  #length = 0;

  /** Adds bytes and returns the messages that are now complete. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const messages: Buffer[] = [];
    while (this.#length >= HEADER) {
      const size = this.#peekSize();
      checkForm(size >= HEADER && size <= MAX_MESSAGE_SIZE + HEADER, `Message length ${size} is invalid`);
      if (this.#length < size) break;
      const all = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
      messages.push(all.subarray(0, size));
      this.#chunks = all.length > size ? [all.subarray(size)] : [];
      this.#length -= size;
    }
    return messages;
  }

  #peekSize(): number {
    const [first] = this.#chunks;
    const head = first && first.length >= 4 ? first : Buffer.concat(this.#chunks);
    if (head !== first) this.#chunks = [head];
    return head.readInt32LE(0);
  }
}

/** Reads a message as a request; throws for one that is malformed. */
export function parseMessage(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  try {
    if (opCode === OP_MSG) return parseOpMsg(id, message);
    if (opCode === OP_QUERY) return parseOpQuery(id, message);
  } catch (error) {
    throw error instanceof RangeError ? new MongoError('ProtocolError', 'Message ends too early') : error;
  }
  throw new MongoError('ProtocolError', `Operation code ${opCode} is not known`);
}

/** Writes the answer to a request. */
export function formatReply(requestId: number, isLegacy: boolean, body: Doc | Buffer): Buffer {
  const bytes = body instanceof Map ? encode(body) : body;
  const prefix = Buffer.alloc(HEADER + (isLegacy ? 20 : 5));
  prefix.writeInt32LE(prefix.length + bytes.length, 0);
  prefix.writeInt32LE(requestId, 8);
  prefix.writeInt32LE(isLegacy ? OP_REPLY : OP_MSG, 12);
  if (isLegacy) prefix.writeInt32LE(1, HEADER + 16);
  return Buffer.concat([prefix, bytes]);
}

function parseOpMsg(id: number, message: Buffer): Request {
  const flags = message.readUInt32LE(HEADER);
  checkForm((flags & 0xffff & ~(CHECKSUM_PRESENT | MORE_TO_COME)) === 0, `Message has unknown flags ${flags}`);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let command: Doc | undefined;
  const raw = new Map<Value, Buffer>();
  const sequences: Array<[string, Value[]]> = [];
  let at = HEADER + 4;
  while (at < end) {
    const kind = message.readUInt8(at);
    const size = message.readInt32LE(at + 1);
    checkForm(size >= 5 && at + 1 + size <= end, 'A section of the message has a wrong length');
    checkForm(kind === 0 || kind === 1, `Section kind ${kind} is not known`);
    if (kind === 0) command = decode(message, at + 1);
    else sequences.push(parseSequence(message.subarray(at + 5, at + 1 + size), raw));
    at += 1 + size;
  }
  checkForm(command, 'The message has no body');
  for (const [name, docs] of sequences) command.set(name, docs);
  return { id, command, raw, wantsReply: (flags & MORE_TO_COME) === 0, isLegacy: false };
}

function parseSequence(section: Buffer, raw: Map<Value, Buffer>): [string, Value[]] {
  const nameEnd = section.indexOf(0);
  checkForm(nameEnd >= 0, 'A document sequence has no name');
  const docs: Value[] = [];
  let at = nameEnd + 1;
  while (at < section.length) {
    const size = section.readInt32LE(at);
    const doc = decode(section, at);
    raw.set(doc, section.subarray(at, at + size));
    docs.push(doc);
    at += size;
  }
  return [section.toString('utf8', 0, nameEnd), docs];
}

/** The legacy form is still used for the first hello of a connection, and for nothing else. */
function parseOpQuery(id: number, message: Buffer): Request {
  const nameStart = HEADER + 4;
  const nameEnd = message.indexOf(0, nameStart);
  const namespace = message.toString('utf8', nameStart, nameEnd);
  checkForm(nameEnd >= 0 && namespace.endsWith('.$cmd'), 'OP_QUERY is only for commands');
  const command = decode(message, nameEnd + 9);
  command.set('$db', namespace.slice(0, -'.$cmd'.length));
  return { id, command, raw: new Map(), wantsReply: true, isLegacy: true };
}

function checkForm(condition: unknown, message: string): asserts condition {
  check(condition, 'ProtocolError', message);
}
