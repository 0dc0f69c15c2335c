import type { IncomingMessage } from 'node:http';

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { CLIENT_GONE, isClientGone } from '../../http/requests/client-gone.ts';
import { isDatabaseUnreachable, RETRY_AFTER } from '../../http/answers/database-unreachable.ts';
import { MAX_FORM } from '../../http/requests/body-limits.ts';
import { readBody } from '../../http/requests/read-body.ts';
import { BodyTimeoutError, onBodyTimeout } from '../../http/requests/request-timeouts.ts';
import { formParameters, queryOf, textOf } from '../../http/requests/utf8.ts';

/**
 * Makes the route handler that hands requests to the OAuth library: their bodies unread, the address pinned to
 * `{auth_url}` whatever the client says, and the host's headers kept. Faults are logged under the request's id. The
 * library identifies app and grant once it has read the body, so that its operations start with the state of that time.
 */
export function oauthHandler(
  provider: Provider,
  log: FastifyBaseLogger,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { host } = new URL(provider.issuer);
  const requests = new WeakMap<IncomingMessage, FastifyRequest>();

  provider.on('server_error', (ctx, fault) => {
    const requestLog = requests.get(ctx.req)?.log ?? log;
    if (isClientGone(fault, ctx.req)) return requestLog.debug(CLIENT_GONE);
    const unreachable = isDatabaseUnreachable(fault);
    requestLog.error({ err: fault }, unreachable ? 'database unreachable' : 'fault');
    if (unreachable) {
      ctx.status = 503;
      ctx.set('Retry-After', RETRY_AFTER);
    }
  });
  provider.onerror = (fault: unknown, ctx?: { readonly req: IncomingMessage }) => {
    if (ctx && isClientGone(fault, ctx.req)) (requests.get(ctx.req)?.log ?? log).debug(CLIENT_GONE);
    else log.error({ err: fault }, 'fault');
  };
  const answer = provider.callback();

  return (request, reply) => {
    const { raw } = request;
    if (request.method === 'GET') queryOf(raw.url);
    else demandForm(raw);
    requests.set(raw, request);
    delete raw.headers['x-forwarded-for'];
    raw.headers['x-forwarded-proto'] = 'https';
    raw.headers['x-forwarded-host'] = host;
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    onBodyTimeout(raw, () => {
      const { statusCode, message } = new BodyTimeoutError();
      const headers = { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' };
      const body = { error: 'invalid_request', error_description: message };
      reply.raw.writeHead(statusCode, headers).end(JSON.stringify(body));
    });
    void answer(raw, reply.raw);
  };
}

/** Lets the library, which takes any bytes and charset, read a body only if it is UTF-8; else it answers `invalid_request`. */
function demandForm(raw: IncomingMessage): void {
  raw.iterator = async function* () {
    const body = await readBody(raw, MAX_FORM);
    formParameters(textOf(body, raw.headers['content-type']));
    yield body;
  };
}
