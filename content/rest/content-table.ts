import type { DisplayContext } from '../schema/display-context.ts';

/** The root field of the schema that answers a row. */
type RootField = { readonly query: string } | { readonly mutation: string };

/** An answer that is no record. */
export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  /** Leaves out the headers that every other answer has beside its type, such as `Allow`. */
  readonly isBare?: boolean;
}

/** A row of a {@link ContentTable}. */
export type ContentRoute = RootField & {
  /** Status of success, 200 by default; 201 adds a `Location` header. */
  readonly status?: number;
  /** Context in which a change is shown, `edit` by default. A request that reads names its own. */
  readonly context?: DisplayContext;
  /** Field whose values are the names of an object that replaces a list. */
  readonly keyedBy?: string;
  /** Adds a `Link` header to the page of the website that shows the object. */
  readonly alternate?: boolean;
  /** Writes a value that is neither a record nor a list; null sends it as it is. */
  readonly send?: (value: unknown, args: Readonly<Record<string, unknown>>) => RawAnswer | null;
};

/**
 * The paths of the content interface in the notation of the specification, `METHOD /path/{parameter}`, or
 * `METHOD|METHOD /path` where methods mean the same, each with its root field. Rows of one path are adjacent.
 */
export type ContentTable = Readonly<Record<string, ContentRoute>>;

/** Splits the key of a row; throws where it has another form. */
export function readContentRow(row: string): { readonly methods: readonly string[]; readonly path: string } {
  const match = /^([A-Z|]+) (\/\S*)$/.exec(row);
  if (!match) throw new TypeError(`The row "${row}" is not of the form "METHOD /path"`);
  return { methods: (match[1] ?? '').split('|'), path: match[2] ?? '/' };
}
