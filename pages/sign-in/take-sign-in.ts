import type { FastifyRequest } from 'fastify';

import { chooseAccount, signIn, type SignInOutcome } from '../../auth/oauth/sign-in.ts';
import type { Form } from '../../http/requests/form.ts';
import { clientOf } from './client-of.ts';
import type { Service } from '../../models/store/service.ts';

/** Signs in by the form of a sign-in page, or by that which chooses an account; null for a form that is neither. */
export async function takeSignIn(service: Service, form: Form, request: FastifyRequest): Promise<SignInOutcome | null> {
  const client = clientOf(request);
  const [choice, user_key] = [form.one('choice'), form.one('user')];
  if (choice !== null && user_key !== null) return chooseAccount(service, { choice, user_key }, client);
  const [email, password] = [form.one('email'), form.one('password')];
  return email === null || password === null ? null : signIn(service, { email, password, ...client });
}
