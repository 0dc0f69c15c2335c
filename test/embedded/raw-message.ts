import { once } from 'node:events';
import { connect } from 'node:net';

import { mongo } from 'mongoose';

/** An OP_MSG around a body, which may be no BSON at all. */
export function rawMessage(body: Uint8Array, opCode = 2013, length = 21 + body.length): Buffer {
  const head = Buffer.alloc(21);
  head.writeInt32LE(length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(opCode, 12);
  return Buffer.concat([head, body]);
}

/** Sends a command as it is, on a connection that it has for itself, and returns the answer, which is short. */
export async function rawCommand(socketPath: string, command: mongo.Document): Promise<mongo.Document> {
  const socket = connect(socketPath);
  socket.write(rawMessage(mongo.BSON.serialize(command, { ignoreUndefined: true })));
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return mongo.BSON.deserialize(answer.subarray(21));
}
