/** Input of a thread for heavy reads: the database file, and the number that its cursors carry. */
export interface ReaderInput {
  readonly file: string;
  readonly thread: number;
}

/** A message to a thread for heavy reads; `number` tells its answers apart. */
export type ReaderRequest =
  | { readonly kind: 'answer'; readonly number: number; readonly message: Uint8Array; readonly owner: number }
  | { readonly kind: 'kill'; readonly number: number; readonly id: bigint }
  | { readonly kind: 'disconnect'; readonly owner: number }
  | { readonly kind: 'close' };

/** The answer of the thread: a message for the client, or whether it has ended a cursor; `open` is what it now holds open. */
export interface ReaderReply {
  readonly number: number;
  readonly result: Uint8Array | boolean;
  readonly open: OpenReads;
}

/** Numbers of open cursors and snapshots. */
export interface OpenReads {
  readonly cursors: number;
  readonly snapshots: number;
}
