import type { FastifyInstance } from 'fastify';

/** Returns as much of `fetch` as GraphQL clients use, to an app of this process, without sockets. */
export function injectedFetch(app: FastifyInstance): typeof fetch {
  return async (address, { headers = {}, body } = {}) => {
    const {
      statusCode,
      rawPayload,
      headers: answered,
    } = await app.inject({
      method: 'POST',
      url: new URL(String(address)).pathname,
      headers: { host: 'localhost', ...(headers as Record<string, string>) },
      payload: String(body),
    });
    return new Response(new Uint8Array(rawPayload), {
      status: statusCode,
      headers: Object.entries(answered).map(([name, value]): [string, string] => [name, String(value)]),
    });
  };
}
