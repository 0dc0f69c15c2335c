/** An error in a form, as a message for its sender. */
export interface FormFault {
  /** Name of the field that is wrong; null for the form as a whole. */
  readonly field: string | null;
  readonly message: string;
}

/** Texts of a comment form. */
export interface CommentTexts {
  readonly author: string;
  readonly email: string;
  readonly url: string;
  readonly comment: string;
}

/** State in which the forms of a page are shown. */
export interface FormState {
  /** Error in the form that was just sent. */
  readonly fault: FormFault | null;
  /** Texts that were just sent, to be corrected. */
  readonly texts: CommentTexts;
  /** Number of the comment that is answered, 0 if there is none. */
  readonly parent: number;
  /** True after a comment was received. */
  readonly isReceived: boolean;
}

/** An empty form. */
export const EMPTY_FORM: FormState = {
  fault: null,
  texts: { author: '', email: '', url: '', comment: '' },
  parent: 0,
  isReceived: false,
};

/** Parameter of the page that is shown after a comment. */
const RECEIVED = { name: 'comment', value: 'received' } as const;

/** Address of the page that confirms a comment. */
export function receivedLink(link: string): string {
  return `${link}?${RECEIVED.name}=${RECEIVED.value}#respond`;
}

/** Reads from the address of a page how its forms are shown. */
export function formStateIn(query: URLSearchParams): FormState {
  const parent = /^[1-9]\d{0,14}$/.exec(query.get('replytocom') ?? '')?.[0];
  return {
    ...EMPTY_FORM,
    parent: Number(parent ?? 0),
    isReceived: query.get(RECEIVED.name) === RECEIVED.value,
  };
}

/** Result of a submitted form. */
export type FormOutcome =
  /** There is no such item. */
  | { readonly kind: 'nothing' }
  /** Success: the browser is redirected to a page, possibly with a cookie. */
  | { readonly kind: 'done'; readonly link: string; readonly cookie?: string }
  /** The page of the item is shown again. */
  | { readonly kind: 'again'; readonly item: number; readonly status: number; readonly state: FormState };

/** Message for a form that another site sent, or that has been open for too long. */
export const EXPIRED = 'This form has expired. Please send it again.';
