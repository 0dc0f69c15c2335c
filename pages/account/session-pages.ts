import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { type BrowserSession, endSession, findSession } from '../../auth/oauth/browser-session.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { type Message, MESSAGES, messageCard } from '../sign-in/message-page.ts';
import { accountName } from '../sign-in/account-name.ts';
import { PlatformSignIn } from './platform-sign-in.ts';
import { type FramedPage, sendFramedPage } from '../sign-in/page-frame.ts';
import { type Language, LANGUAGES } from '../console/texts/languages.ts';
import { SIGNED_IN_PAGES, signedInPage, type SignedInPageName } from './signed-in-pages.ts';
import { type Form, formOf, isForeign } from '../../http/requests/form.ts';
import type { Service } from '../../models/store/service.ts';

/** An action that a signed-in user requests by a verified form. */
export type SessionAction = (
  session: BrowserSession,
  form: Form,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** A page of a signed-in user, with the actions of its forms, or its sign-in page. */
export abstract class SessionPages {
  /** Address of the page. */
  protected readonly url: string;
  /** Sign-in to the page. */
  readonly signIn: PlatformSignIn;

  constructor(
    protected readonly service: Service,
    protected readonly provider: Provider,
    private readonly styles: string,
    protected readonly current: SignedInPageName,
  ) {
    this.url = homeOf(provider.issuer, current);
    this.signIn = new PlatformSignIn(service, provider, styles, { ...signedInPage(current), url: this.url });
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

  protected send(
    session: BrowserSession,
    reply: FastifyReply,
    main: Html,
    page: Pick<FramedPage, 'language' | 'module' | 'needs'> = {},
  ): FastifyReply {
    const { language = 'en' } = page;
    const account = accountHeader(this.provider.issuer, this.current, session, language);
    const title = LANGUAGES[language].pages[this.current];
    return sendFramedPage(reply, { title, styles: this.styles, width: 'console', main, account, ...page });
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

/** Address of the page with the sign-in and the actions of a page. */
function homeOf(issuer: string, name: SignedInPageName): string {
  return `${issuer}/${signedInPage(name).path.split('/')[0]}`;
}

/** Writes links to the other pages, the name of the signed-in user, and the form to sign out. */
function accountHeader(
  issuer: string,
  current: SignedInPageName,
  { email, account, formToken }: BrowserSession,
  language: Language,
): Html {
  const { navigation, pages, signOut } = LANGUAGES[language];
  const chosen = signedInPage(current).within ?? current;
  return html`<nav class="pages" aria-label="${navigation}"><ul>
${Object.keys(SIGNED_IN_PAGES).map((key) => {
  const name = key as SignedInPageName;
  const { path, icon } = signedInPage(name);
  if (icon === undefined) return null;
  return html`<li><a href="${issuer}/${path}"${name === chosen && html` aria-current="${name === current ? 'page' : 'true'}"`}><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false"><path d="${icon}"/></svg>${pages[name]}</a></li>
`;
})}</ul></nav>
<div class="who"><p><span class="account">${accountName(account)}</span> <span>${email}</span></p>
<form method="post" action="${homeOf(issuer, current)}/sign-out"><input type="hidden" name="form_token" value="${formToken}"><button class="button quiet compact" type="submit">${signOut}</button></form></div>`;
}
