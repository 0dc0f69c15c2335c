/** Root field of a schema. */
export type RootField = { readonly query: string } | { readonly mutation: string };

/** All fields of a record that its own path returns, including future ones. */
export interface AllFields {
  /** Fields that are omitted. */
  readonly without?: readonly string[];
  /** Further relations: `user { key }`. */
  readonly with?: string;
}

/** A row in which the fields of relations are written out. */
export type WrittenRoute = RestRoute & { readonly expand?: Readonly<Record<string, string>> };

/** Row of a {@link RestTable}: the root field that answers, and how it is served. */
export type RestRoute = RootField & {
  /** Status of success; 200 if it is not given. */
  readonly status?: number;
  /** The key under which a list stands in the answer; of a connection, `size` and `cursor` are served too. */
  readonly root?: string;
  /** Default number of objects per page; by default the `defaultValue` of the field's `first`. */
  readonly size?: number;
  /** Arguments that requests cannot give, with their values. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Names of arguments in the URL if they differ, by argument. */
  readonly named?: Readonly<Record<string, string>>;
  /** Relations of the record that `expand` adds, each with its returned fields: `{ key name }`, or {@link AllFields}. */
  readonly expand?: Readonly<Record<string, string | AllFields>>;
  /** Set if requests without `expand` get all relations that it may name. */
  readonly expandsAll?: true;
  /** Set if members of `expand` that are null are omitted, since each record has one of them. */
  readonly oneOfExpand?: true;
  /** The argument in seconds that `Prefer: wait` gives, as far as it may be. Source: RFC 7240, section 4.3. */
  readonly wait?: { readonly argument: string; readonly max: number };
  /** The argument that takes the whole JSON body; if it is not given, arguments are the body's members. */
  readonly body?: string;
  /**
   * The argument that takes what an app sends, see `readMessage`; no other argument is
   * read then.
   */
  readonly message?: string;
  /**
   * The argument that takes the path of a temporary file with the whole body, whatever its type, or the file in a form; others
   * are in the query, or in the fields of the form.
   */
  readonly file?: string;
  /** Text of a valid file. */
  readonly fileExample?: string;
  /**
   * Place of a device's key, the only credential: a bearer token; in requests of apps without support for it also a Basic
   * password, or members of the message.
   */
  readonly deviceKey?: 'bearer' | 'basic' | readonly string[];
  /** Parameters of a message by address, for the API description: descriptions by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Members of the argument `body` that are nevertheless in the query. */
  readonly inQuery?: readonly string[];
  /** Media type of an answer that is text in pieces, sent as a file with the name in the path; JSON by default. */
  readonly mediaType?: string;
  /** Set if a body that cannot be read counts as one without members; otherwise it is 400. */
  readonly unreadableBody?: 'empty';
  /**
   * JSON Schema keywords for the API description, by argument, in addition to those of the GraphQL type. Schemas with a
   * `title` are named by it.
   */
  readonly limits?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Valid body. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Valid parameters by name: those of the query that are required, and keys of another form than `EXAMPLE_KEY`. */
  readonly exampleParameters?: Readonly<Record<string, unknown>>;
  /**
   * Set if a change has steps that cannot be in a transaction, since they wait for or notify others. Repeating an
   * interrupted one completes it.
   */
  readonly repeatable?: true;
  /** Set if the row is deprecated. */
  readonly deprecated?: Deprecation;
  /** Set if the body or the query names an object, so that the answer may be 404. */
  readonly namesObject?: true;
  /** Name of the operation in the API description, if it is that of a document. */
  readonly operationId?: string;
  /** Tag of the operation; by default the first word of its path. */
  readonly tag?: string;
};

/** Since when a row is deprecated, until when it stays at least, both as dates, and the path that replaces it. */
export interface Deprecation {
  readonly since: string;
  readonly until: string;
  readonly use: string;
}

/** Headers of responses of a deprecated row. Sources: RFC 9745, RFC 8594, RFC 5829. */
export function deprecationHeaders({ deprecated }: RestRoute, prefix: string): Record<string, string> {
  if (!deprecated) return {};
  const { since, until, use } = deprecated;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(until).toUTCString(),
    Link: `<${prefix}${use}>; rel="successor-version"`,
  };
}

/** REST paths in the notation of the specification, `METHOD /path/{parameter}`, each with the root field that answers it. */
export type RestTable = Readonly<Record<string, RestRoute>>;

/** Key of a record in examples. */
export const EXAMPLE_KEY = 'q3Zs0oGk0Vw1YyPZxJmX4A';

/** Methods that a table may name. */
export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Returns true if requests of a row carry their arguments in a body. */
export function takesBody(method: RestMethod, { file }: RestRoute): boolean {
  return method !== 'GET' && method !== 'DELETE' && file === undefined;
}

/** Splits the key of a row; throws if it has another form. */
export function readRow(row: string): { readonly method: RestMethod; readonly path: string } {
  const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(row);
  if (!match) throw new TypeError(`The row "${row}" is not of the form "METHOD /path"`);
  return { method: match[1] as RestMethod, path: match[2] ?? '/' };
}

/** Returns true if a row only reads. */
export function isRead({ method, route }: { readonly method: RestMethod; readonly route: RestRoute }): boolean {
  return method === 'GET' && 'query' in route;
}
