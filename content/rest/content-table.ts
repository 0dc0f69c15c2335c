import type { DisplayContext } from '../schema/display-context.ts';

/** What answers a row: one root field of the schema. */
type RootField = { readonly query: string } | { readonly mutation: string };

/** An answer that is no record. */
export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  /** Whether the headers that every answer has beside its type, such as `Allow`, are left out. */
  readonly isBare?: boolean;
}

/** How a row of a {@link ContentTable} is served. */
export type ContentRoute = RootField & {
  /** Status of success; 201 answers also say where the new object is. 200 where it is not given. */
  readonly status?: number;
  /** In which context a change is answered; `edit` where it is not given. A request that reads says so itself. */
  readonly context?: DisplayContext;
  /** The field by which a list is an object with names instead of an array. */
  readonly keyedBy?: string;
  /** Whether the page of the website that shows the object is named in a `Link` header. */
  readonly alternate?: boolean;
  /** For what is neither a record nor a list: how the value of the field is sent; null sends it as it is. */
  readonly send?: (value: unknown, args: Readonly<Record<string, unknown>>) => RawAnswer | null;
};

/**
 * The paths of the content interface in the notation of the specification, `METHOD /path/{parameter}`, or
 * `METHOD|METHOD /path` where methods mean the same, each with what answers it. Rows of one path stand together.
 */
export type ContentTable = Readonly<Record<string, ContentRoute>>;

/** The key of a row. */
export interface ContentRow {
  readonly methods: readonly string[];
  readonly path: string;
}

/** Splits the key of a row; throws where it has another form. */
export function readContentRow(row: string): ContentRow {
  const match = /^([A-Z|]+) (\/\S*)$/.exec(row);
  if (!match) throw new TypeError(`The row "${row}" is not of the form "METHOD /path"`);
  return { methods: (match[1] ?? '').split('|'), path: match[2] ?? '/' };
}
