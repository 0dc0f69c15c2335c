import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { findAnswer } from '../../auth/oauth/answered-request.ts';
import { findSession } from '../../auth/oauth/browser-session.ts';
import { OAUTH_PATHS } from '../../auth/oauth/oauth-paths.ts';
import { allow, deny, findRequest, type PendingRequest, signedIn } from '../../auth/oauth/pending-request.ts';
import { actorOf } from '../../auth/oauth/sign-in.ts';
import { consentForm } from './consent-page.ts';
import { rejectSignIn } from './sign-in-faults.ts';
import { MESSAGES, messageCard, type Message } from './message-page.ts';
import { answeredPage } from './answered-page.ts';
import { type FramedPage, sendFramedPage } from './page-frame.ts';
import { type Form, formOf, isForeign } from '../../http/requests/form.ts';
import { clientOf } from './client-of.ts';
import { accountForm } from './account-form.ts';
import { signInForm } from './sign-in-page.ts';
import { takeSignIn } from './take-sign-in.ts';
import type { Service } from '../../models/store/service.ts';

/** Route of the page of a request. */
export interface RequestRoute {
  Params: { uid: string };
}

type HttpRequest = FastifyRequest<RequestRoute>;

/** The pages on which a user answers the request of an app: sign-in, then consent. Each works without scripts. */
export class RequestPages {
  constructor(
    private readonly service: Service,
    private readonly provider: Provider,
    private readonly styles: string,
  ) {}

  /** GET: the form of the next step. */
  async show(http: HttpRequest, reply: FastifyReply): Promise<FastifyReply> {
    const request = await this.#find(http);
    return request ? this.#ask(http, reply, request) : this.#repeat(http, reply);
  }

  /** POST: the answer. */
  async take(http: HttpRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isForeign(http, new URL(this.provider.issuer).origin)) return this.tell(reply, 403, MESSAGES.tampered);
    const request = await this.#find(http);
    if (!request) return this.#repeat(http, reply);
    const form = formOf(http);
    const decision = form.one('decision');
    if (decision === 'deny') return reply.redirect(await deny(this.provider, request), 303);
    return request.step === 'sign-in'
      ? this.#takeSignIn(http, reply, request, form)
      : this.#takeConsent(http, reply, request, form);
  }

  /** Sends a page that only shows a message. */
  tell(reply: FastifyReply, status: number, message: Message): FastifyReply {
    return this.#send(reply, status, { title: message.title, main: messageCard(message) });
  }

  /** A page that is sent or shown again after its request was answered, or that has expired. */
  async #repeat({ params, headers }: HttpRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answer = await findAnswer(this.service, this.provider.issuer, params.uid, headers.cookie);
    if (answer === null) return this.tell(reply, 410, MESSAGES.expired);
    const { status, ...page } = answeredPage(answer);
    return this.#send(reply, status, page);
  }

  async #takeSignIn(http: HttpRequest, reply: FastifyReply, request: PendingRequest, form: Form) {
    const outcome = await takeSignIn(this.service, form, http);
    if (outcome === null) return this.tell(reply, 400, MESSAGES.tampered);
    const email = form.one('email') ?? request.hint;
    if (outcome.kind === 'choice') {
      const main = accountForm({ ...outcome, action: this.#action(request), app: request.app.name, email });
      return this.#send(reply, 200, { title: 'Choose an account', main });
    }
    if (outcome.kind !== 'user') return this.#askSignIn(reply, request, email, rejectSignIn(reply, outcome));
    const next = await signedIn(this.provider, request, outcome, http.headers.cookie);
    return reply.header('Set-Cookie', outcome.cookie).redirect(next, 303);
  }

  async #takeConsent(http: HttpRequest, reply: FastifyReply, request: PendingRequest, form: Form) {
    const ticked = form.all('scope');
    const scopes = request.scopes.filter((scope) => ticked.includes(scope));
    if (form.one('decision') !== 'allow' || !ticked.every((scope) => scopes.some((known) => known === scope))) {
      return this.tell(reply, 400, MESSAGES.tampered);
    }
    if (scopes.length === 0) return this.#ask(http, reply.code(422), request, 'Tick what you allow, or choose Deny');
    const session = await findSession(this.service, http.headers.cookie);
    const next = await allow(this.service, this.provider, request, session, scopes, actorOf(clientOf(http), 'user'));
    return next === null ? this.tell(reply, 409, MESSAGES.otherUser) : reply.redirect(next, 303);
  }

  async #ask(http: HttpRequest, reply: FastifyReply, request: PendingRequest, fault: string | null = null) {
    if (request.step === 'sign-in') return this.#askSignIn(reply, request, request.hint, fault);
    const session = await findSession(this.service, http.headers.cookie);
    if (!session || session.uid !== request.interaction.session?.uid) {
      return this.tell(reply, 409, MESSAGES.otherUser);
    }
    const { issuer } = this.provider;
    const mustAsk = request.query.get('prompt')?.split(' ').includes('consent') === true;
    request.query.set('prompt', mustAsk ? 'login consent' : 'login');
    const { name, publisher, account_key, isReviewed } = request.app;
    const main = consentForm({
      action: this.#action(request),
      app: name,
      publisher: account_key === session.account_key ? 'your own account' : publisher,
      isReviewed,
      returnsTo: request.redirectUri,
      email: session.email ?? '',
      account: session.account,
      scopes: request.scopes,
      switchUser: `${issuer}${OAUTH_PATHS.authorization}?${request.query}`,
      appsUrl: `${issuer}/apps`,
      fault,
    });
    return this.#send(reply, reply.statusCode, { title: `Allow ${request.app.name}?`, main });
  }

  #askSignIn(reply: FastifyReply, request: PendingRequest, email: string, fault: string | null) {
    const main = signInForm({ action: this.#action(request), app: request.app.name, email, fault });
    return this.#send(reply, reply.statusCode, { title: 'Sign in', main });
  }

  #action({ interaction }: PendingRequest): string {
    return `${this.provider.issuer}${OAUTH_PATHS.request}/${interaction.uid}`;
  }

  #find({ params, headers }: HttpRequest): Promise<PendingRequest | null> {
    return findRequest(this.service, this.provider, params.uid, headers.cookie);
  }

  #send(reply: FastifyReply, status: number, page: Pick<FramedPage, 'title' | 'main' | 'script'>): FastifyReply {
    const { pathname } = new URL(this.provider.issuer + OAUTH_PATHS.authorization);
    const keepsOpener = reply.request.url.startsWith(pathname);
    return sendFramedPage(reply.code(status), {
      ...page,
      styles: this.styles,
      width: 'narrow',
      needs: { keepsOpener },
    });
  }
}
