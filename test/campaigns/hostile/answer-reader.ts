/** An answer as a client sees it. */
export interface Answer {
  readonly status: number;
  /** Header fields by name in lower case; of repeated ones the last. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const EMPTY = Buffer.alloc(0);

/** Reads the answers on one connection as their bytes arrive (RFC 9112); interim ones are passed over. */
export class AnswerReader {
  readonly answers: Answer[] = [];
  /** True once what arrived is no answer. */
  isBroken = false;
  /** All that has not been read yet. */
  #left: Buffer = EMPTY;
  readonly #method: string;

  /** @param method of the request, since answers to HEAD have no body */
  constructor(method: string) {
    this.#method = method;
  }

  /** Takes what has arrived. */
  push(chunk: Buffer, isOver = false): void {
    this.#left = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk]);
    while (!this.isBroken && this.#left.length > 0 && this.#readOne(isOver));
  }

  /** The other side has ended. */
  close(): void {
    this.push(EMPTY, true);
    if (this.#left.length > 0) this.isBroken = true;
  }

  #readOne(isOver: boolean): boolean {
    const end = this.#left.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [line = '', ...fields] = this.#left.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(line)?.[1]);
    if (!Number.isInteger(status)) {
      this.isBroken = true;
      return false;
    }
    const headers = new Map(
      fields.map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
      }),
    );
    const rest = this.#left.subarray(end + 4);
    const isInterim = status < 200;
    const found = isInterim ? { body: EMPTY, length: 0 } : this.#readBody(status, headers, rest, isOver);
    if (found === null) return false;
    this.#left = rest.subarray(found.length);
    if (!isInterim) this.answers.push({ status, headers, body: found.body });
    return true;
  }

  /** The body and the length that it takes; null where more is to come. */
  #readBody(status: number, headers: ReadonlyMap<string, string>, rest: Buffer, isOver: boolean) {
    if (this.#method === 'HEAD' || status === 204 || status === 304) return { body: EMPTY, length: 0 };
    if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(rest);
    const length = headers.get('content-length');
    if (length === undefined) return isOver ? { body: rest, length: rest.length } : null;
    const bytes = Number(length);
    return rest.length < bytes ? null : { body: rest.subarray(0, bytes), length: bytes };
  }
}

function readChunks(bytes: Buffer): { readonly body: Buffer; readonly length: number } | null {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    if (bytes.length < from + size + 2) return null;
    if (size === 0) return { body: Buffer.concat(pieces), length: from + 2 };
    pieces.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
}
