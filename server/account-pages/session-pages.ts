import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { type BrowserSession, endSession, findSession } from '../../auth/oauth/browser-session.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { MESSAGES, messageCard } from '../sign-in/message-page.ts';
import { sendFramedPage } from '../sign-in/page-frame.ts';
import { type Form, formOf, isForeign } from '../sign-in/read-form.ts';

/** An action that a signed-in user asks for by a form that has been checked. */
export type SessionAction = (
  session: BrowserSession,
  form: Form,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Titles of the pages of a signed-in user, by the last part of their address. */
const PAGES = { apps: 'Developer platform', security: 'Security' } as const;

/** A page of a signed-in user, with the actions of its forms. */
export abstract class SessionPages {
  /** Address of the page. */
  protected readonly url: string;

  /** @param current last part of the address of the page */
  constructor(
    protected readonly provider: Provider,
    private readonly styles: string,
    private readonly current: keyof typeof PAGES,
  ) {
    this.url = `${provider.issuer}/${current}`;
  }

  /** The actions by the last part of their address. */
  abstract readonly actions: Readonly<Record<string, SessionAction>>;

  /** Ends the session of this browser. */
  protected readonly signOut: SessionAction = async (_session, _form, request, reply) => {
    reply.header('Set-Cookie', await endSession(this.provider, request.headers.cookie));
    return this.back(reply);
  };

  /** POST: runs an action whose form comes from a page of this service and carries the token of its session. */
  async act(action: SessionAction, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session = await findSession(this.provider, request.headers.cookie);
    if (!session) return this.back(reply);
    const form = formOf(request);
    const isForged = isForeign(request, new URL(this.url).origin) || form.one('form_token') !== session.formToken;
    return isForged ? this.reject(reply) : action(session, form, request, reply);
  }

  protected reject(reply: FastifyReply): FastifyReply {
    const { title } = MESSAGES.tampered;
    const main = messageCard(MESSAGES.tampered);
    return sendFramedPage(reply.code(403), { title, styles: this.styles, width: 'narrow', main });
  }

  protected send(session: BrowserSession, reply: FastifyReply, main: Html): FastifyReply {
    const account = accountHeader(this.provider.issuer, this.current, session);
    return sendFramedPage(reply, { title: PAGES[this.current], styles: this.styles, width: 'wide', main, account });
  }

  /** Leads back to the page. @param done name of the completed action */
  protected back(reply: FastifyReply, done?: string): FastifyReply {
    return reply.redirect(done === undefined ? this.url : `${this.url}?done=${done}`, 303);
  }
}

/** Writes the name of the signed-in user, links to the other pages, and the form to sign out. */
function accountHeader(issuer: string, current: keyof typeof PAGES, { email, formToken }: BrowserSession): Html {
  return html`<div class="who">
<nav aria-label="Pages">${Object.entries(PAGES).map(
    ([path, title]) => html`<a href="${issuer}/${path}"${path === current && html` aria-current="page"`}>${title}</a> `,
  )}</nav>
<span>${email}</span>
<form method="post" action="${issuer}/${current}/sign-out"><input type="hidden" name="form_token" value="${formToken}"><button class="button quiet compact" type="submit">Sign out</button></form></div>`;
}
