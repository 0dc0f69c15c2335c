import { type Html, html } from '../../../http/answers/html.ts';

import { textHtml } from '../text/text-html.ts';
import type { CommentTexts, FormState } from './form-state.ts';
import { newFormToken } from './signed.ts';
import type { Service } from '../../../models/store/service.ts';

/** Contents of a comment form. */
export interface CommentForm {
  readonly root: string;
  readonly item: number;
  /** Address of the item. */
  readonly link: string;
  readonly token: string;
  readonly state: FormState;
  /** Name of the author of the comment that is answered, as HTML; null if there is none. */
  readonly answered: string | null;
}

/** Field that is invisible to people; only programs fill it in. */
export const HONEYPOT = 'subject';

interface Field {
  readonly name: keyof CommentTexts;
  readonly label: string;
  readonly hint?: string;
  readonly type: 'text' | 'email' | 'url';
  readonly autocomplete: string;
  readonly max: number;
  readonly isRequired: boolean;
}

const FIELDS: readonly Field[] = [
  { name: 'author', label: 'Name', type: 'text', autocomplete: 'name', max: 245, isRequired: true },
  {
    ...{ name: 'email', label: 'Email', hint: 'Not published.', type: 'email', autocomplete: 'email' },
    ...{ max: 100, isRequired: true },
  },
  { name: 'url', label: 'Website (optional)', type: 'url', autocomplete: 'url', max: 200, isRequired: false },
];

/** Maximum characters of a comment. */
const MAX_COMMENT = 10_000;

/** Writes the form with which visitors comment on an item. */
export function commentForm({ root, item, link, token, state, answered }: CommentForm): Html {
  const { fault, texts, isReceived } = state;
  return html`<section class="respond" id="respond" aria-labelledby="respond-title">
<h3 id="respond-title">${answered === null ? 'Leave a comment' : html`Reply to ${textHtml(answered)}`}</h3>
${isReceived && html`<p class="notice" role="status">Thank you. Your comment appears here once it has been approved.</p>\n`}${answered !== null && html`<p><a href="${link}#respond">Comment on the post instead</a></p>\n`}${fault !== null && fault.field === null && html`<p class="notice fault" role="alert">${fault.message}</p>\n`}<form class="form" method="post" action="${root}site/comment#respond">
<input type="hidden" name="post" value="${item}">
<input type="hidden" name="parent" value="${answered === null ? 0 : state.parent}">
<input type="hidden" name="token" value="${token}">
<div class="field">
<label for="comment-text">Comment</label>
<textarea id="comment-text" name="comment" rows="6" maxlength="${MAX_COMMENT}" required${described(state, 'comment', false)}>
${texts.comment}</textarea>
${faultOf(state, 'comment')}</div>
<div class="fields">
${FIELDS.map((one) => field(one, state))}</div>
<div class="unseen" aria-hidden="true"><label for="comment-${HONEYPOT}">Leave this empty</label><input id="comment-${HONEYPOT}" type="text" name="${HONEYPOT}" tabindex="-1" autocomplete="off"></div>
<button class="button" type="submit">Send</button>
</form>
</section>
`;
}

const FORM_START =
  /<input type="hidden" name="post" value="(\d+)">\n.*\n<input type="hidden" name="token" value="([^"]+)">/;

/** The token of the form in a page. It contains the time at which the form was shown, so it is renewed in a cached page. */
export const formTokenInPage = {
  isIn: (page: string): boolean => FORM_START.test(page),
  renewed: async (service: Service, page: string): Promise<string> => {
    const [, item, token] = FORM_START.exec(page) ?? [];
    return token === undefined ? page : page.replace(token, await newFormToken(service, Number(item)));
  },
};

function field({ name, label, hint, type, autocomplete, max, isRequired }: Field, state: FormState): Html {
  const id = `comment-${name}`;
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" type="${type}" name="${name}" value="${state.texts[name]}" autocomplete="${autocomplete}" maxlength="${max}"${isRequired && html` required`}${described(state, name, hint !== undefined)}>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>\n`}${faultOf(state, name)}</div>
`;
}

/** Connects a field with its hint and its error message. */
function described({ fault }: FormState, name: string, hasHint: boolean): Html | null {
  const isWrong = fault?.field === name;
  const ids = [...(hasHint ? [`comment-${name}-hint`] : []), ...(isWrong ? [`comment-${name}-fault`] : [])];
  if (ids.length === 0) return null;
  return html`${isWrong && html` aria-invalid="true"`} aria-describedby="${ids.join(' ')}"`;
}

function faultOf({ fault }: FormState, name: string): Html | null {
  if (fault?.field !== name) return null;
  return html`<p class="fault" id="comment-${name}-fault" role="alert">${fault.message}</p>\n`;
}
