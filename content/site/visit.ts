import type { FormState } from './forms/form-state.ts';

/** Facts about the visitor of a page, from the request. */
export interface Visit {
  /** The `Cookie` header. */
  readonly cookies: string | undefined;
  /** State of the forms of the page. */
  readonly form: FormState;
}
