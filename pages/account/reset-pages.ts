import type { FastifyReply, FastifyRequest } from 'fastify';

import { accountNickname } from '../../models/account/account-nickname.ts';
import { findResetLink, resetPassword } from '../../auth/passwords/reset-link.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { accountName } from '../sign-in/account-name.ts';
import { messageCard, MESSAGES, type Message } from '../sign-in/message-page.ts';
import { sendFramedPage } from '../sign-in/page-frame.ts';
import { newPasswordFields } from './password-fields.ts';
import { formOf, isForeign } from '../../http/requests/form.ts';
import { clientOf } from '../sign-in/client-of.ts';
import type { Service } from '../../models/store/service.ts';

const EXPIRED: Message = {
  title: 'This link has expired',
  text: 'It has been used, is too old, or was replaced by a newer one. Ask the person who gave it to you for a new one.',
};

/** The page on which the holder of a reset link sets a new password. Viewing it does not use up the link. */
export class ResetPages {
  /**
   * @param url address of the page, to which the link adds `?token=`
   * @param securityUrl address at which to sign in afterwards
   */
  constructor(
    private readonly service: Service,
    private readonly styles: string,
    private readonly url: string,
    private readonly securityUrl: string,
  ) {}

  /** GET: the form. */
  show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#ask(reply, new URLSearchParams(request.url.split('?')[1]).get('token') ?? '', null);
  }

  /** POST: the new password. */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isForeign(request, new URL(this.url).origin)) return this.#tell(reply.code(403), MESSAGES.tampered);
    const form = formOf(request);
    const token = form.one('token') ?? '';
    const password = form.one('password') ?? '';
    const revokesGrants = form.one('revoke_grants') === 'yes';
    try {
      const cookie = await resetPassword(this.service, { token, password, revokesGrants }, clientOf(request));
      if (cookie === null) return this.#tell(reply.code(410), EXPIRED);
      return this.#send(
        reply.header('Set-Cookie', cookie),
        'Password changed',
        html`<div class="card"><h1>Your password has been changed</h1>
<p class="lead">You are signed out everywhere.</p>
<div class="choices"><a class="button" href="${this.securityUrl}">Sign in</a></div></div>`,
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.#ask(reply.code(422), token, `The ${error.message}.`);
    }
  }

  async #ask(reply: FastifyReply, token: string, fault: string | null): Promise<FastifyReply> {
    const user = await findResetLink(this.service, token);
    if (!user) return this.#tell(reply.code(410), EXPIRED);
    const main = html`<div class="card">
<h1>Set a new password</h1>
<p class="lead">for <strong>${user.email}</strong>, to sign in to ${accountName(await accountNickname(this.service, user.account_key))}</p>
${fault !== null && html`<p class="fault" role="alert" id="password-fault">${fault}</p>`}
<form method="post" action="${this.url}">
<input type="hidden" name="token" value="${token}"><input type="email" autocomplete="username" value="${user.email}" readonly hidden>
${newPasswordFields(fault !== null)}
<div class="choices"><button class="button" type="submit">Set password</button></div>
</form>
<p class="small">This signs you out everywhere. The link works once.</p>
</div>`;
    return this.#send(reply, 'Set a new password', main);
  }

  #tell(reply: FastifyReply, message: Message): FastifyReply {
    return this.#send(reply, message.title, messageCard(message));
  }

  #send(reply: FastifyReply, title: string, main: Html): FastifyReply {
    return sendFramedPage(reply, { title, styles: this.styles, width: 'narrow', main });
  }
}
