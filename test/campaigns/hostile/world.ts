import type { GraphQLSchema } from 'graphql';

/** Header fields in the order in which they are sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** A route of the content interface as its index describes it. */
export interface ContentRoute {
  /** A pattern such as `/wp/v2/posts/(?P<id>[\d]+)`. */
  readonly path: string;
  readonly method: string;
  readonly args: Readonly<Record<string, ContentArgument>>;
}

/** A parameter of a {@link ContentRoute}. */
export interface ContentArgument {
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
}

/** Kinds of content whose numbers are known. */
export const CONTENT_KINDS = ['posts', 'pages', 'media', 'categories', 'tags', 'comments', 'users'] as const;

/** Those who send requests to the account API, GraphQL and positions. */
export const ACCOUNT_CALLERS = [
  'visitor',
  'wrong key',
  'owner',
  'app',
  'restricted app',
  'trip token',
  'device key',
  'forwarder key',
  'two credentials',
  'session',
] as const;

/** Those who send requests to the content interface; the last five are users of the website by role. */
export const CONTENT_CALLERS = [
  'visitor',
  'wrong password',
  'administrator',
  'editor',
  'author',
  'contributor',
  'subscriber',
] as const;

/** The records of the service that requests can name, and the credentials for them. */
export interface World {
  readonly issuer: string;
  /** Credentials by caller; see {@link ACCOUNT_CALLERS} and {@link CONTENT_CALLERS}. */
  readonly callers: Readonly<Record<string, Fields>>;
  /** Values that mean something, by what they are: keys, serials, client ids. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly app: { readonly client_id: string; readonly client_secret: string; readonly redirect_uri: string };
  readonly owner: { readonly email: string; readonly password: string };
  /** A browser session at the developer platform. */
  readonly browser: { readonly cookie: string; readonly form_token: string };
  /** A special-purpose token's subject. */
  readonly trip: { readonly vehicle_key: string; readonly access_token: string };
  readonly contentIds: Readonly<Record<(typeof CONTENT_KINDS)[number], readonly number[]>>;
  readonly contentRoutes: readonly ContentRoute[];
  readonly pages: readonly string[];
  readonly schema: GraphQLSchema;
  /** Secrets that no log may contain. */
  readonly secrets: readonly string[];
}
