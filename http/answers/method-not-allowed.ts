import { METHODS } from 'node:http';

import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';

interface KnownPath {
  readonly url: string;
  readonly constraints: RouteOptions['constraints'];
  readonly methods: Set<string>;
}

/**
 * Answers a known path with another method, be it WebDAV's, by 405 with `Allow` (decisions, section "Errors"). Call it
 * before the endpoints are registered, and `finish` afterwards. Paths that end in a wildcard are not known.
 */
export function rejectOtherMethods(app: FastifyInstance): { finish(): void } {
  // Fastify knows the common methods by itself; routes may have every one that Node.js can read.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method, constraints }) => {
    if (!url.endsWith('*')) {
      const key = JSON.stringify([url.replace(/:\w+/g, ':'), constraints]);
      const known = paths.get(key) ?? { url, constraints, methods: new Set<string>() };
      paths.set(key, known);
      for (const one of [method].flat()) known.methods.add(one);
    }
  });
  const finish = () => {
    app.register(async (scope) => {
      for (const path of [...paths.values()]) rejectRest(scope, path);
    });
  };
  return { finish };
}

function rejectRest(scope: FastifyInstance, { url, constraints, methods }: KnownPath): void {
  const allow = [...methods].sort().join(', ');
  const rest = scope.supportedMethods.filter((method) => !methods.has(method)) as HTTPMethods[];
  if (rest.length > 0) {
    scope.route({
      method: rest,
      url,
      ...(constraints === undefined ? {} : { constraints }),
      // Before the body is read, since the method is wrong whatever the body is.
      onRequest: async (_request, reply) => reply.code(405).header('Allow', allow).send(),
      handler: (_request, reply) => reply,
    });
  }
}
