/** What answers a row: one root field of the schema. */
type RootField = { readonly query: string } | { readonly mutation: string };

/** How a row of a {@link RestTable} is served. */
export type RestRoute = RootField & {
  /** Status of success; 200 where it is not given. */
  readonly status?: number;
  /** The key under which a list stands in the answer; of a connection, `size` and `cursor` are served too. */
  readonly root?: string;
  /** The argument that takes the whole JSON body; where it is not given, arguments are the body's members. */
  readonly body?: string;
  /** What a body that cannot be read counts as: a fault of the request, or a body without members. */
  readonly unreadableBody?: 'refused' | 'empty';
  /** What the description of the API says of arguments beyond their GraphQL types, as JSON Schema keywords. */
  readonly limits?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** A body that works, for the description of the API. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Whether the body names an object, which may be absent. */
  readonly namesObject?: true;
};

/** REST paths in the notation of the specification, `METHOD /path/{parameter}`, each with what answers it. */
export type RestTable = Readonly<Record<string, RestRoute>>;

/** Methods that a table may name. */
export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whether requests of a method carry their arguments in a body. */
export function takesBody(method: RestMethod): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** Splits the key of a row; throws where it has another form. */
export function readRow(row: string): { readonly method: RestMethod; readonly path: string } {
  const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(row);
  if (!match) throw new TypeError(`The row "${row}" is not of the form "METHOD /path"`);
  return { method: match[1] as RestMethod, path: match[2] ?? '/' };
}
