import type { ContentContext } from '../../access/content-context.ts';
import { checkCommented } from '../../comments/comment-permissions.ts';
import { type CommentCreateArguments, composeComment, storeComment } from '../../comments/write-comment.ts';
import { changingContent } from '../../caching/changing-content.ts';
import { CommentStore } from '../../models/comment.ts';
import { ContentError } from '../../schema/content-error.ts';
import { isEmail } from '../../schema/email.ts';
import { COMMENT_CREATE } from '../../schema/parameters/comment-parameters.ts';
import { readParameters } from '../../rest/read-parameters.ts';
import type { Form } from '../../../http/requests/form.ts';

import { HONEYPOT } from './comment-form.ts';
import {
  type CommentTexts,
  type FormFault,
  type FormState,
  receivedLink,
  EXPIRED,
  type FormOutcome,
  EMPTY_FORM,
} from './form-state.ts';
import { ageOfToken, passwordByCookie, postCookie } from './signed.ts';
import type { Service } from '../../../models/store/service.ts';
import { isPasswordOf } from '../../items/post-password.ts';
import { loadParents } from '../../items/item-extras.ts';
import type { StoredItem } from '../../models/content-item.ts';
import { permalinkOf } from '../../access/permalink.ts';
import { publishedByUrl } from '../../oembed/own-embed.ts';

/** The request that brings a form. */
export interface FormSender {
  readonly cookies: string | undefined;
  /** True if a page of another site sent it. */
  readonly isForeign: boolean;
}

/** Rejections of comments, by their codes in the content interface, as messages for their authors. */
const FAULTS: Readonly<Record<string, FormFault>> = {
  comment_duplicate: { field: 'comment', message: 'You have already said this.' },
  comment_flood: { field: null, message: 'You are sending comments too quickly. Please wait a moment and try again.' },
  rest_comment_content_invalid: { field: 'comment', message: 'Please write a comment.' },
  comment_content_column_length: { field: 'comment', message: 'This comment is too long.' },
  comment_author_column_length: { field: 'author', message: 'This name is too long.' },
  comment_author_email_column_length: { field: 'email', message: 'This address is too long.' },
  comment_author_url_column_length: { field: 'url', message: 'This address is too long.' },
  rest_comment_closed: { field: null, message: 'Comments are closed.' },
};

/** Takes the comment of a visitor, which waits for approval. One that a program wrote is confirmed and dropped. */
export async function takeComment(form: Form, sender: FormSender, context: ContentContext): Promise<FormOutcome> {
  const about = await sentAbout(form, context);
  if (about === null) return { kind: 'nothing' };
  const { item, link } = about;
  const texts = textsIn(form);
  const parent = await answeredIn(context.service, form, item.id);
  const again = (status: number, fault: FormFault): FormOutcome => {
    const state: FormState = { fault, texts, parent, isReceived: false };
    return { kind: 'again', item: item.id, status, state };
  };
  const age = await ageOfToken(context.service, form.one('token') ?? '', item.id);
  if (sender.isForeign || age === 'expired') return again(403, { field: null, message: EXPIRED });
  if ((form.one(HONEYPOT) ?? '') !== '') return { kind: 'done', link: receivedLink(link) };
  if (age === 'early') return again(429, { field: null, message: 'That was very quick. Please send it again.' });
  const fault = faultIn(texts);
  if (fault !== null) return again(400, fault);
  try {
    const password = await passwordByCookie(context.service, item, sender.cookies);
    await checkCommented({ post: item.id, password }, context);
    const comment = await composeComment(argumentsOf(texts, item.id, parent), context);
    // Only now: a repeated comment must not disable the cache.
    await changingContent(context.service, () => storeComment(context.service, comment));
  } catch (error) {
    const known = error instanceof ContentError ? FAULTS[error.code] : undefined;
    if (error instanceof ContentError) return again(error.status, known ?? { field: null, message: error.message });
    throw error;
  }
  return { kind: 'done', link: receivedLink(link) };
}

/** Arguments of a comment that waits for approval, read as those of the content interface. */
function argumentsOf(texts: CommentTexts, post: number, parent: number): CommentCreateArguments {
  const names = { author_name: texts.author, author_email: texts.email, author_url: texts.url };
  const given = { ...names, post, parent, content: texts.comment, status: 'hold' };
  const { values, fault } = readParameters([given], COMMENT_CREATE);
  if (fault) throw fault;
  return values as unknown as CommentCreateArguments;
}

function textsIn(form: Form): CommentTexts {
  const text = (name: keyof CommentTexts) => (form.one(name) ?? '').trim();
  return { author: text('author'), email: text('email'), url: text('url'), comment: text('comment') };
}

function faultIn({ author, email, url }: CommentTexts): FormFault | null {
  if (author === '') return { field: 'author', message: 'Please give a name.' };
  if (!isEmail(email)) return { field: 'email', message: 'Please give an email address, such as ada@example.com.' };
  const isAddress = url === '' || /^https?:\/\//i.test(url);
  return isAddress ? null : { field: 'url', message: 'Please give an address that begins with https://.' };
}

/** The approved comment on an item to which a form replies; 0 if there is none. */
async function answeredIn(service: Service, form: Form, post: number): Promise<number> {
  const [id] = /^[1-9]\d{0,14}$/.exec(form.one('parent') ?? '') ?? [];
  if (id === undefined) return 0;
  return (await CommentStore.exists(service, { id: Number(id), post, status: 'approved' })) === null ? 0 : Number(id);
}

/**
 * Takes the password of an item from its form.
 *
 * @param isForeign true if a page of another site sent it
 */
export async function takePassword(form: Form, isForeign: boolean, context: ContentContext): Promise<FormOutcome> {
  const about = await sentAbout(form, context);
  if (about === null) return { kind: 'nothing' };
  const { item, link } = about;
  const again = (message: string, status = 403): FormOutcome => ({
    ...{ kind: 'again', item: item.id, status },
    state: { ...EMPTY_FORM, fault: { field: 'post_password', message } },
  });
  if (item.password === '') return { kind: 'done', link };
  if (isForeign) return again(EXPIRED);
  try {
    const isRight = await isPasswordOf(form.one('post_password') ?? '', item, context);
    return isRight
      ? { kind: 'done', link, cookie: await postCookie(context.service, item) }
      : again('This is not the password.');
  } catch (error) {
    if (error instanceof ContentError) return again(error.message, error.status);
    throw error;
  }
}

/** Finds the published item that a form names, with its address; null if there is none. */
async function sentAbout(
  form: Form,
  { service, site }: ContentContext,
): Promise<{ readonly item: StoredItem; readonly link: string } | null> {
  const [id] = /^[1-9]\d{0,14}$/.exec(form.one('post') ?? '') ?? [];
  const item = id === undefined ? null : await publishedByUrl(service, `${site}/?p=${id}`, site);
  return item && { item, link: permalinkOf(item, site, (await loadParents(service, [item])).parentOf) };
}
