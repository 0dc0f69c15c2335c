import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, isPermitted, type RequestContext } from '../../auth/caller.ts';
import { groupedBy } from '../../models/grouped-by.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { IngestRejectionStore } from '../../models/vehicles/ingest-rejection.ts';
import { GraphqlOnly } from '../../schema/graphql-only.ts';
import { type Page, PageArgs } from '../../schema/page.ts';
import { Device } from '../../schema/vehicles/device.ts';
import { IngestRejection, IngestRejectionConnection, REJECTIONS } from '../../schema/vehicles/ingest-rejection.ts';
import { batched } from '../../tracking/scheduling/batched.ts';

type StoredRejection = Omit<IngestRejection, 'outcome' | 'advice'>;

const rejectionsOf = batched<string, IngestRejection[]>(async (context, keys) => {
  const query = { accessScope: accessScopeOf(context), filter: { device_key: { $in: keys } } };
  const found = groupedBy(
    await IngestRejectionStore.readShown(query, { sort: { last: -1 } }),
    ({ device_key }) => device_key ?? '',
  );
  return keys.map((key) => (found.get(key) ?? []).map(withAdvice));
});

/** Positions that were not believed. */
@Resolver(() => Device)
export class IngestRejectionResolver {
  @Access('owner')
  @Query(() => IngestRejectionConnection, {
    description:
      'Positions of devices and unknown serials of the last 7 days that were not stored, or stored with a mark.',
  })
  async ingestRejections(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Page<IngestRejection>> {
    const found = await creationPage(IngestRejectionStore, { accessScope: accessScopeOf(context), ...page });
    return { ...found, nodes: found.nodes.map(withAdvice) };
  }

  @GraphqlOnly()
  @FieldResolver(() => [IngestRejection], {
    nullable: true,
    description:
      'Its positions of the last 7 days that were not stored, or stored with a mark, latest first; null to all but the owner.',
  })
  async recent_rejections(@Root() { key }: Device, @Ctx() context: RequestContext): Promise<IngestRejection[] | null> {
    return isPermitted(context.caller, ['owner']) ? rejectionsOf(context, key) : null;
  }
}

function withAdvice(rejection: StoredRejection): IngestRejection {
  const { outcome, advice } = REJECTIONS[rejection.reason];
  return Object.assign(rejection, { outcome, advice });
}
