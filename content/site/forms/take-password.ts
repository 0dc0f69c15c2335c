import type { ContentContext } from '../../access/content-context.ts';
import { isPasswordOf } from '../../items/post-password.ts';
import { ContentError } from '../../schema/content-error.ts';
import type { Form } from '../../../http/requests/form.ts';

import { EXPIRED, type FormOutcome } from './form-outcome.ts';
import { EMPTY_FORM } from './form-state.ts';
import { postCookie } from './post-cookie.ts';
import { sentAbout } from './sent-about.ts';

/**
 * Takes the password of an item from its form.
 *
 * @param isForeign true where a page of another site sent it
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
