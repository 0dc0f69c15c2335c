import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { endSession, startSession } from '../../auth/oauth/browser-session.ts';
import { cookieIn, hostCookie } from '../../auth/oauth/cookie-header.ts';
import { parseUrl } from '../../schema/parse-url.ts';
import { newSecret } from '../../auth/secrets/secrets.ts';
import { sendFramedPage } from '../sign-in/page-frame.ts';
import { formOf, isForeign } from '../../http/requests/form.ts';
import { accountForm } from '../sign-in/account-form.ts';
import { rejectSignIn } from '../sign-in/sign-in-faults.ts';
import { signInForm } from '../sign-in/sign-in-page.ts';
import { takeSignIn } from '../sign-in/take-sign-in.ts';
import type { Service } from '../../models/store/service.ts';

/** Cookie that a sign-in form repeats, so that another site cannot sign a browser in to another account. */
const FORM_COOKIE = '__Host-waybridge_form';
/** In seconds. */
const FORM_LIFETIME = 3600;

/** Sign-in to the service's own pages, without an app. */
export class PlatformSignIn {
  /** @param page the page that requires it: its address, the text after "Sign in", and what it is for */
  constructor(
    private readonly service: Service,
    private readonly provider: Provider,
    private readonly styles: string,
    private readonly page: { readonly url: string; readonly lead: string; readonly purpose: string },
  ) {}

  /** GET: the form. It leads to the page that was requested, or to that of the parameter `to` of its own address. */
  ask(request: FastifyRequest, reply: FastifyReply, email = '', fault: string | null = null): FastifyReply {
    const formToken = cookieIn(request.headers.cookie, FORM_COOKIE) || newSecret('');
    const { url, lead, purpose } = this.page;
    const own = new URL(`${url}/sign-in`);
    const { pathname, searchParams, href } = new URL(request.url, own);
    const to = pathname === own.pathname ? (formOf(request).one('to') ?? searchParams.get('to')) : href;
    const view = { action: own.href, app: null, lead, purpose, email, fault, formToken };
    const main = signInForm({ ...view, to: this.#onward(to) });
    reply.header('Set-Cookie', hostCookie(FORM_COOKIE, formToken, FORM_LIFETIME));
    return sendFramedPage(reply, { title: 'Sign in', styles: this.styles, width: 'narrow', main });
  }

  /** POST: signs in, in a new session. */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = formOf(request);
    const email = form.one('email') ?? '';
    const token = cookieIn(request.headers.cookie, FORM_COOKIE);
    if (isForeign(request, new URL(this.page.url).origin) || !token || form.one('form_token') !== token) {
      return this.ask(request, reply.code(403), email, 'This form has expired. Please try again.');
    }
    const outcome = (await takeSignIn(this.service, form, request)) ?? { kind: 'wrong' };
    if (outcome.kind === 'choice') {
      const action = `${this.page.url}/sign-in`;
      const to = this.#onward(form.one('to'));
      const main = accountForm({ ...outcome, action, app: null, email, formToken: token, to });
      return sendFramedPage(reply, { title: 'Choose an account', styles: this.styles, width: 'narrow', main });
    }
    if (outcome.kind !== 'user') return this.ask(request, reply, email, rejectSignIn(reply, outcome));
    await endSession(this.provider, request.headers.cookie);
    reply.header('Set-Cookie', [await startSession(this.provider, outcome), outcome.cookie]);
    return reply.redirect(this.#onward(form.one('to')), 303);
  }

  /** Address after sign-in: that which is asked for if it is the page or below it, else the page. */
  #onward(to: string | null): string {
    const { url } = this.page;
    const onward = parseUrl(to ?? '', url);
    return onward && [`${url}/`, `${url}?`].some((start) => onward.href.startsWith(start)) ? onward.href : url;
  }
}
