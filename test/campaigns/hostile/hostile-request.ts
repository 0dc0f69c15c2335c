import type { Dice } from './dice.ts';
import type { Fields, World } from './world.ts';

/** A request in its parts, before it is brought onto the wire. */
export interface Draft {
  readonly caller: string;
  readonly method: string;
  /** As on the request line. */
  readonly target: string;
  readonly headers: Fields;
  readonly body?: string | Uint8Array;
}

/** A step of a client: send bytes, end its half of the connection, or go away. */
export type Step = Uint8Array | 'end' | 'leave';

/** A request as it is sent. */
export interface HostileRequest {
  /** Row of the table. */
  readonly endpoint: string;
  readonly caller: string;
  /** Method that an answer is framed by. */
  readonly method: string;
  readonly steps: readonly Step[];
  /** True where it is one whole request with a proper frame, so that its connection may serve the next one. */
  readonly isFramed: boolean;
  /** False where HTTP demands no answer: the client went away, or spoke no HTTP. */
  readonly needsAnswer: boolean;
}

/** Makes the requests of one endpoint. */
export type MakeDraft = (dice: Dice, world: World) => Draft;

/** A request that is sent as it stands. */
export function plainRequest(endpoint: string, draft: Draft): HostileRequest {
  const { caller, method } = draft;
  return { endpoint, caller, method, steps: [onTheWire(draft)], isFramed: true, needsAnswer: true };
}

/** The bytes of a request; its length is stated unless its headers say how it is framed. */
export function onTheWire({ method, target, headers, body }: Draft, version = 'HTTP/1.1'): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body as string);
  const lines = [`${method} ${target} ${version}`];
  if (!names.has('host')) lines.push('Host: localhost');
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  const isSized = names.has('content-length') || names.has('transfer-encoding');
  if (body !== undefined && !isSized) lines.push(`Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

/** A body in chunks. */
export function inChunks(body: Uint8Array, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), Buffer.from(piece), Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}
