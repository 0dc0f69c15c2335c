import { ContentError } from '../schema/content-error.ts';
import type { DisplayContext } from '../schema/display-context.ts';

import type { ContentLinks } from './record-links.ts';

/** The root field of the schema that answers a row. */
type RootField = { readonly query: string } | { readonly mutation: string };

/** An answer that is not a record. */
export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  /** Omits the headers that every other answer has in addition to its type, such as `Allow`. */
  readonly isBare?: boolean;
}

/** A format other than JSON. */
export interface AnswerFormat {
  readonly type: string;
  readonly write: (document: unknown) => string;
}

/** A row of a {@link ContentTable}. */
export type ContentRoute = RootField & {
  /** Status of success, 200 by default; 201 adds a `Location` header. */
  readonly status?: number;
  /** Context in which a change is shown, `edit` by default. A read names its own. */
  readonly context?: DisplayContext;
  /** True for a deletion that needs no `force`: there is no trash. */
  readonly isFinal?: boolean;
  /** Field whose values become the member names of an object that replaces a list. */
  readonly keyedBy?: string;
  /** Adds a `Link` header to the page of the website that shows the object. */
  readonly alternate?: boolean;
  /** True if an answer depends on more than its address and the content: it counts something, or calls another site. */
  readonly isAlwaysNew?: boolean;
  /** Returns an answer that is neither a record nor a list. */
  readonly send?: () => RawAnswer;
  /** Chooses the format of every answer of the path, errors included; null for JSON. */
  readonly format?: (args: Readonly<Record<string, unknown>>) => AnswerFormat | null;
};

/**
 * The paths of the content interface in the notation of the specification, `METHOD /path/{parameter}`, or
 * `METHOD|METHOD /path` if the methods are equivalent, each with its root field. Rows of one path are adjacent.
 */
export type ContentTable = Readonly<Record<string, ContentRoute>>;

/** Splits the key of a row; throws if it has another form. */
export function readContentRow(row: string): { readonly methods: readonly string[]; readonly path: string } {
  const match = /^([A-Z|]+) (\/\S*)$/.exec(row);
  if (!match) throw new TypeError(`The row "${row}" is not of the form "METHOD /path"`);
  return { methods: (match[1] ?? '').split('|'), path: match[2] ?? '/' };
}

/** The result of a request, before `_links`, `_embed` and `_envelope` are added to it. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: unknown;
  /** Links of the object in the body; the elements of a list have their own. */
  readonly links?: ContentLinks;
  /** The answer that is sent in place of the body. */
  readonly raw?: RawAnswer;
  /** The parameter `_fields` of the request. */
  readonly fields?: unknown;
  /** Format in which the body is sent, JSON by default. */
  readonly format?: AnswerFormat | null;
}

/**
 * Writes an error in the dialect of the interface.
 *
 * @throws the error itself if it is not a {@link ContentError}
 */
export function errorResponseOf(error: unknown): Outcome {
  if (!(error instanceof ContentError)) throw error;
  const { code, message, status, data } = error;
  return { status, headers: {}, body: { code, message, data: data && { status, ...data } } };
}
