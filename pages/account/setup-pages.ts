import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { endSession, startSession } from '../../auth/oauth/browser-session.ts';
import type { ProvedUser } from '../../auth/oauth/proved-user.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { formOf, isForeign } from '../../http/requests/form.ts';
import type { Service } from '../../models/store/service.ts';
import { isSetUp, SETUP_PATH, setUp } from '../../resolvers/account/setup-link.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { clientOf } from '../sign-in/client-of.ts';
import { messageCard, MESSAGES, type Message } from '../sign-in/message-page.ts';
import { sendFramedPage } from '../sign-in/page-frame.ts';
import { newPasswordField } from './password-fields.ts';

/** Path to which a new owner is led, below `{auth_url}`. */
const FIRST_PAGE = '/console';

/** Reads the key of the demonstration's account; null if there is none. */
export type ReadDemoAccount = () => Promise<string | null>;

const EXPIRED: Message = {
  title: 'This link has expired',
  text: 'It works for an hour, until a newer one is made. On the machine of this service, “waybridge setup-link” prints a new one.',
};

/** Moves the code from the address, whose fragment no server sees, into the form, which also works if it is typed there. */
const SCRIPT = `const code = document.getElementById('code');
if (location.hash.length > 1) {
  code.value = location.hash.slice(1);
  code.parentElement.hidden = true;
}`;

/** The page on which the first account is created, by a setup link. Viewing it does not use up the link. */
export class SetupPages {
  readonly #issuer: string;

  /** @param readDemoAccount reads the key of the account that does not count */
  constructor(
    private readonly service: Service,
    private readonly provider: Provider,
    private readonly styles: string,
    private readonly readDemoAccount: ReadDemoAccount,
  ) {
    this.#issuer = provider.issuer;
  }

  /** GET: the form, until there is an account. */
  async show(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return (await isSetUp(this.service, await this.readDemoAccount())) ? this.#tellSetUp(reply) : this.#ask(reply);
  }

  /** POST: the account. */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isForeign(request, new URL(this.#issuer).origin)) return this.#tell(reply.code(403), MESSAGES.tampered);
    const form = formOf(request);
    const [text, client] = [(name: string) => form.one(name) ?? '', clientOf(request)];
    const given = { code: text('code'), nickname: text('name'), email: text('email') };
    const demoAccount = await this.readDemoAccount();
    try {
      const signIn = (user: ProvedUser) => startSession(this.provider, user);
      const cookies = await setUp(this.service, demoAccount, { ...given, password: text('password') }, client, signIn);
      if (cookies === null) {
        const isOver = await isSetUp(this.service, demoAccount);
        return isOver ? this.#tellSetUp(reply) : this.#tell(reply.code(410), EXPIRED);
      }
      await endSession(this.provider, client.cookies);
      return reply.header('Set-Cookie', cookies).redirect(this.#issuer + FIRST_PAGE, 303);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'BAD_REQUEST') throw error;
      const fault = `The ${error.message.replace(/^nickname/, 'name')}.`;
      return this.#ask(reply.code(422), { ...given, fault });
    }
  }

  #ask(reply: FastifyReply, { code, nickname, email, fault }: SetupInput = FIRST): FastifyReply {
    const main = html`<div class="card">
<h1>Create your account</h1>
<p class="lead">It is the first of this service, and yours.</p>
${fault !== null && html`<p class="fault" role="alert" id="password-fault">${fault}</p>`}
<form method="post" action="${this.#issuer}${SETUP_PATH}">
<div${code !== '' && html` hidden`}><label for="code">Code</label>
<input id="code" name="code" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required value="${code}" aria-describedby="code-hint">
<p class="hint" id="code-hint">The part after # of the link that the service printed when it started; “waybridge setup-link” prints another.</p></div>
<label for="name">Name</label>
<input id="name" name="name" type="text" autocomplete="organization" maxlength="255" required value="${nickname}" aria-describedby="name-hint">
<p class="hint" id="name-hint">Of your business, household or fleet. You can change it.</p>
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}">
${newPasswordField('Password', fault?.startsWith('The password') === true)}
<div class="choices"><button class="button" type="submit">Create account</button></div>
</form>
<p class="small">You sign in with the address. No mail is sent to it.</p>
</div>`;
    return sendFramedPage(reply, {
      title: 'Create your account',
      styles: this.styles,
      width: 'narrow',
      main,
      ...(code === '' && { script: SCRIPT }),
    });
  }

  #tellSetUp(reply: FastifyReply): FastifyReply {
    const main = html`<div class="card"><h1>This service has an account</h1>
<p class="lead">Setup links create the first one only. The owner can invite you.</p>
<div class="choices"><a class="button" href="${this.#issuer}${FIRST_PAGE}">Sign in</a></div></div>`;
    return this.#send(reply.code(410), 'This service has an account', main);
  }

  #tell(reply: FastifyReply, message: Message): FastifyReply {
    return this.#send(reply, message.title, messageCard(message));
  }

  #send(reply: FastifyReply, title: string, main: Html): FastifyReply {
    return sendFramedPage(reply, { title, styles: this.styles, width: 'narrow', main });
  }
}

/** Input without the password, and its fault. */
interface SetupInput {
  readonly code: string;
  readonly nickname: string;
  readonly email: string;
  readonly fault: string | null;
}

const FIRST: SetupInput = { code: '', nickname: '', email: '', fault: null };
