import type { FastifyReply, FastifyRequest } from 'fastify';

import type { RequestContext } from '../../auth/caller.ts';
import { clientNameOf, type UsedNames } from '../../auth/usage/used-names.ts';
import { describeRequest } from './logs.ts';
import { usageOf } from '../../auth/usage/usage-counter.ts';

/** A request whose caller is identified. */
interface BegunRequest extends Pick<RequestContext, 'service' | 'caller'> {
  cost: number;
}

/** Counts what the requests of an endpoint use, when they are answered, and lists those of apps. */
export class RequestUse {
  readonly #begun = new WeakMap<FastifyRequest, BegunRequest>();

  /** Returns a context that notes what its request costs. */
  begin<Context extends RequestContext>(request: FastifyRequest, context: Context): Context {
    const begun: BegunRequest = { service: context.service, caller: context.caller, cost: 0 };
    this.#begun.set(request, begun);
    return {
      ...context,
      noteCost: (cost: number) => {
        begun.cost += cost;
      },
    };
  }

  /**
   * Counts an answered request.
   *
   * @param used null if it was rejected before it used anything
   * @param operation name of its GraphQL operation
   */
  count(request: FastifyRequest, reply: FastifyReply, used: UsedNames | null, operation: string | null = null): void {
    const begun = this.#begun.get(request);
    if (!begun) return;
    const { service, caller, cost } = begun;
    const usage = usageOf(service);
    if (used !== null) usage.count(caller, clientNameOf(request.headers), used);
    if (caller.kind !== 'app' && caller.kind !== 'embed') return;
    usage.note(caller.client_id, {
      request_id: request.id,
      answered: new Date(service.now()),
      ...describeRequest(request),
      operation,
      status: reply.statusCode,
      cost: Math.round(cost * 100) / 100,
      duration: Math.round(reply.elapsedTime * 10) / 10,
    });
  }
}
