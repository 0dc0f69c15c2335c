import type { FastifyRequest } from 'fastify';

import type { BrowserSession } from '../../auth/oauth/browser-session.ts';
import { actorOf, type Client } from '../../auth/oauth/sign-in.ts';
import type { Actor } from '../../auth/security-events.ts';

/** The browser behind a request, with the facts for sign-in and the security log. */
export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { address: ip, cookies: headers.cookie, userAgent: headers['user-agent'] };
}

/** A signed-in user who sends a form, for the security log. */
export function actorIn({ user_key }: BrowserSession, request: FastifyRequest): Actor {
  return { ...actorOf(clientOf(request), 'user'), user_key };
}
