import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';

import type { RequestContext } from '../../auth/caller.ts';
import { AppRequestsStore, MAX_APP_REQUESTS } from '../../models/usage/app-requests.ts';
import { App } from '../../schema/account/app.ts';
import { AppRequest } from '../../schema/account/app-request.ts';
import { GraphqlOnly } from '../../schema/field-decorators.ts';
import { checkPageSize } from '../../models/lists/creation-page.ts';
import { batched } from '../../tracking/scheduling/batched.ts';

const requestsOf = batched<string, readonly AppRequest[]>(async ({ service }, ids) => {
  const found = await AppRequestsStore.find(service, { client_id: { $in: [...ids] } });
  const requests = new Map(found.map((one) => [one.client_id, one.requests]));
  return ids.map((id) => (requests.get(id) ?? []).toReversed());
});

/** The requests of an app, for those who have registered it. */
@Resolver(() => App)
export class AppRequestResolver {
  @GraphqlOnly()
  @FieldResolver(() => [AppRequest], {
    description: `Its latest requests, the last first: at most ${MAX_APP_REQUESTS} of the last 30 days, at most a minute late.`,
  })
  async recent_requests(
    @Root() { client_id }: App,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of requests, 1 to 1000.' })
    first: number,
    @Ctx() context: RequestContext,
  ): Promise<AppRequest[]> {
    const size = checkPageSize(first);
    return (await requestsOf(context, client_id)).slice(0, size);
  }
}
