import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { type BrowserSession, endSession, findSession } from '../../auth/oauth/browser-session.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { type Message, MESSAGES, messageCard } from '../sign-in/message-page.ts';
import { accountName } from '../sign-in/account-name.ts';
import { PlatformSignIn } from './platform-sign-in.ts';
import { sendFramedPage } from '../sign-in/page-frame.ts';
import { type Form, formOf, isForeign } from '../../http/requests/form.ts';
import type { Service } from '../../models/store/service.ts';

/** An action that a signed-in user requests by a verified form. */
export type SessionAction = (
  session: BrowserSession,
  form: Form,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Pages of a signed-in user, by the last part of their address: their titles, and the ends of "Sign in". */
const PAGES = {
  apps: { title: 'Developer platform', lead: 'to your developer platform' },
  security: { title: 'Security', lead: 'to your security page' },
} as const;

/** A page of a signed-in user, with the actions of its forms, or its sign-in page. */
export abstract class SessionPages {
  /** Address of the page. */
  protected readonly url: string;
  /** Sign-in to the page. */
  readonly signIn: PlatformSignIn;

  /** @param current last part of the address of the page */
  constructor(
    protected readonly service: Service,
    protected readonly provider: Provider,
    private readonly styles: string,
    private readonly current: keyof typeof PAGES,
  ) {
    this.url = `${provider.issuer}/${current}`;
    this.signIn = new PlatformSignIn(service, provider, styles, { url: this.url, lead: PAGES[current].lead });
  }

  /** The actions by the last part of their address. */
  abstract readonly actions: Readonly<Record<string, SessionAction>>;

  /** Writes the page for a session. */
  protected abstract show(session: BrowserSession, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;

  /** GET: the page, or the sign-in page. */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session = await findSession(this.service, request.headers.cookie);
    return session ? this.show(session, request, reply) : this.signIn.ask(request, reply);
  }

  /** Ends the session of this browser. */
  protected readonly signOut: SessionAction = async (_session, _form, request, reply) => {
    reply.header('Set-Cookie', await endSession(this.provider, request.headers.cookie));
    return this.back(reply);
  };

  /** POST: runs an action whose form comes from a page of this service and carries the token of its session. */
  async act(action: SessionAction, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session = await findSession(this.service, request.headers.cookie);
    if (!session) return this.back(reply);
    const form = formOf(request);
    const isForged = isForeign(request, new URL(this.url).origin) || form.one('form_token') !== session.formToken;
    return isForged ? this.reject(reply) : action(session, form, request, reply);
  }

  protected reject(reply: FastifyReply, message: Message = MESSAGES.tampered): FastifyReply {
    const main = messageCard(message);
    return sendFramedPage(reply.code(403), { title: message.title, styles: this.styles, width: 'narrow', main });
  }

  protected send(session: BrowserSession, reply: FastifyReply, main: Html): FastifyReply {
    const account = accountHeader(this.provider.issuer, this.current, session);
    return sendFramedPage(reply, {
      title: PAGES[this.current].title,
      styles: this.styles,
      width: 'wide',
      main,
      account,
    });
  }

  /**
   * Redirects to the page.
   *
   * @param done name of the completed action
   */
  protected back(reply: FastifyReply, done?: string): FastifyReply {
    return reply.redirect(done === undefined ? this.url : `${this.url}?done=${done}`, 303);
  }
}

/** Writes the name of the signed-in user, links to the other pages, and the form to sign out. */
function accountHeader(
  issuer: string,
  current: keyof typeof PAGES,
  { email, account, formToken }: BrowserSession,
): Html {
  return html`<div class="who">
<nav aria-label="Pages">${Object.entries(PAGES).map(
    ([path, { title }]) =>
      html`<a href="${issuer}/${path}"${path === current && html` aria-current="page"`}>${title}</a> `,
  )}</nav>
<span>${email}, ${accountName(account)}</span>
<form method="post" action="${issuer}/${current}/sign-out"><input type="hidden" name="form_token" value="${formToken}"><button class="button quiet compact" type="submit">Sign out</button></form></div>`;
}
