import { ContentError } from '../schema/content-error.ts';

import type { ContentLinks } from './links/content-links.ts';
import type { RawAnswer } from './content-table.ts';

/** The result of a request, before `_links`, `_embed` and `_envelope` are added to it. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: unknown;
  /** Links of the one object that the body is; the elements of a list carry their own. */
  readonly links?: ContentLinks;
  /** The answer that is sent in place of the body. */
  readonly raw?: RawAnswer;
}

/** Writes an error in the dialect of the interface. @throws the error itself where it is no {@link ContentError} */
export function errorResponseOf(error: unknown): Outcome {
  if (!(error instanceof ContentError)) throw error;
  const { code, message, status, data } = error;
  return { status, headers: {}, body: { code, message, data: data && { status, ...data } } };
}
