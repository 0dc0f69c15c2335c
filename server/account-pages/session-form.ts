import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { type BrowserSession, findSession } from '../../auth/oauth/browser-session.ts';
import { type Form, formOf, isForeign } from '../sign-in/read-form.ts';

/** An action that a signed-in user asks for by a form that has been checked. */
export type SessionAction = (
  session: BrowserSession,
  form: Form,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** A form with the session that sends it, or the reason why it must not be acted on. */
export type SessionForm =
  | { readonly kind: 'sent'; readonly session: BrowserSession; readonly form: Form }
  | { readonly kind: 'signed out' | 'forged' };

/**
 * Reads a form of a signed-in user: it must come from a page of ours and carry the token of its session, so that no other
 * page can send it.
 */
export async function readSessionForm(provider: Provider, request: FastifyRequest): Promise<SessionForm> {
  const session = await findSession(provider, request.headers.cookie);
  if (!session) return { kind: 'signed out' };
  const form = formOf(request);
  const isForged = isForeign(request, new URL(provider.issuer).origin) || form.one('form_token') !== session.formToken;
  return isForged ? { kind: 'forged' } : { kind: 'sent', session, form };
}
