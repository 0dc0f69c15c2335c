import { METHODS } from 'node:http';

import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify';
import type { FindAllowed } from './handle-client-error.ts';
import findMyWay, { type HTTPMethod, type Instance, type HTTPVersion } from 'find-my-way';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a route that rejects unsupported methods of its path. */
    readonly isRejection?: true;
  }
}

/** Methods by path, whose parameters have no names. */
type MethodsByPath = Map<string, Set<string>>;

/** A parameter of such a path, with the pattern that it must have. */
const PARAMETER = /:part(?:\([^/]*\))?/g;

/**
 * Answers a known path with another method, even one of WebDAV, by 405 with `Allow`, and an unknown path by 404 (decisions,
 * section "Errors"), before its body is read. Call it before the endpoints are registered, and `finish` afterwards. Paths that
 * end in a wildcard, or that a constraint picks, are not known.
 *
 * The paths are found by a separate router: a route for each path and each of 35 methods would take most of the
 * startup time.
 *
 * @param maxParamLength limit of the host's router
 */
export function rejectOtherMethods(
  app: FastifyInstance,
  maxParamLength: number,
): { finish(): void; readonly findAllowed: FindAllowed } {
  // Fastify knows only the common methods; routes may have every method that Node.js can read.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const routed: MethodsByPath = new Map();
  const rejected: MethodsByPath = new Map();
  const router = findMyWay({ maxParamLength });
  const findAllowed: FindAllowed = (path) => router.find('GET', path)?.store ?? null;
  app.addHook('onRoute', ({ url, method, constraints, config }) => {
    if (constraints !== undefined) return;
    const path = url.replace(/:\w+/g, ':part');
    const methods = [method].flat();
    routed.set(path, new Set([...(routed.get(path) ?? []), ...methods]));
    if (config?.isRejection) rejected.set(path, new Set(methods));
  });
  const finish = () => {
    app.register(async (scope) => {
      const known = new Map([...routed].filter(([path]) => !path.endsWith('*')));
      for (const [path, methods] of known) {
        const allowed = [...methods].filter((method) => rejected.get(path)?.has(method) !== true);
        router.on('GET', path, () => undefined, allowOf(allowed));
      }
      for (const [url, { methods, allow }] of shadowing(known, routed, findMyWay({ maxParamLength }))) {
        const onRequest = async (_request: unknown, reply: FastifyReply) => reject(reply, allow);
        scope.route({ method: methods, url, onRequest, handler: (_request, reply) => reply });
      }
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done();
      const allow = findAllowed((request.raw.url ?? '/').replace(/[?#].*/s, ''));
      if (allow === null) reply.code(404).send();
      else reject(reply, allow);
    });
  };
  return { finish, findAllowed };
}

function reject(reply: FastifyReply, allow: string): FastifyReply {
  return reply.code(405).header('Allow', allow).send();
}

function allowOf(methods: Iterable<string>): string {
  return [...methods].sort().join(', ');
}

/** Methods of known paths that also match a more general path: without routes, that path would get their requests. */
function shadowing(known: MethodsByPath, routed: MethodsByPath, router: Instance<HTTPVersion.V1>) {
  for (const [path, methods] of routed) router.on([...methods] as HTTPMethod[], path, () => undefined);
  return new Map(
    [...known].flatMap(([path, own]) => {
      const methods = METHODS.filter(
        (method) => !own.has(method) && router.find(method as HTTPMethod, path.replace(PARAMETER, '1')) !== null,
      );
      return methods.length === 0 ? [] : [[path, { methods: methods as HTTPMethods[], allow: allowOf(own) }]];
    }),
  );
}
