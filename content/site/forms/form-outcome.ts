import type { FormState } from './form-state.ts';

/** Result of a form that was sent. */
export type FormOutcome =
  /** There is no such item. */
  | { readonly kind: 'nothing' }
  /** Done: the browser goes on to a page, perhaps with a cookie. */
  | { readonly kind: 'done'; readonly link: string; readonly cookie?: string }
  /** The page of the item is shown again. */
  | { readonly kind: 'again'; readonly item: number; readonly status: number; readonly state: FormState };

/** Message for a form that another site sent, or that has been open for too long. */
export const EXPIRED = 'This form has expired. Please send it again.';
