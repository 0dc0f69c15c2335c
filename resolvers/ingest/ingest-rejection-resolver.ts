import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, isPermitted, type RequestContext } from '../../auth/caller.ts';
import { groupedBy } from '../../models/grouped-by.ts';
import { checkPageSize, creationPage } from '../../models/lists/creation-page.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { IngestRejectionStore } from '../../models/vehicles/ingest-rejection.ts';
import { DateTime } from '../../schema/date-time-scalars.ts';
import { GraphqlOnly } from '../../schema/field-decorators.ts';
import { type Page, PageArgs } from '../../schema/page.ts';
import { readDateTime } from '../../schema/read-window.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { Device, PRESENT_STATUSES } from '../../schema/vehicles/device.ts';
import { type MarkedPosition, MarkedPositionConnection } from '../../schema/vehicles/marked-position.ts';
import { IngestRejection, IngestRejectionConnection, REJECTIONS } from '../../schema/vehicles/ingest-rejection.ts';
import { batched } from '../../tracking/scheduling/batched.ts';
import { markedPositionPage } from '../../tracking/views/marked-positions.ts';
import { pointsMeter } from '../../tracking/views/points-meter.ts';

const DAY_MS = 86_400_000;
/** Maximum span of marked positions that one request reads, in days. */
const MAX_DAYS = 7;

type StoredRejection = Omit<IngestRejection, 'outcome' | 'advice' | 'first_received' | 'last_received'>;

const rejectionsOf = batched<string, IngestRejection[]>(async (context, keys) => {
  const query = { accessScope: accessScopeOf(context), filter: { device_key: { $in: keys } } };
  const found = groupedBy(
    await IngestRejectionStore.readShown(query, { sort: { last: -1 } }),
    ({ device_key }) => device_key ?? '',
  );
  return keys.map((key) => (found.get(key) ?? []).map(shownRejection));
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
    return { ...found, nodes: found.nodes.map(shownRejection) };
  }

  @Access('owner')
  @Query(() => MarkedPositionConnection, {
    nullable: true,
    description:
      'Positions of a device in its vehicle that are stored with a mark, in the order of their times.\n\nEach says what came, and why it, or a part of it, is not believed.',
  })
  async markedPositions(
    @Arg('device_key', () => String, { description: 'Key of the device.' }) device_key: string,
    @Arg('recorded_after', () => DateTime, {
      nullable: true,
      description: 'Only positions at this time (ISO 8601) or later; a day before `recorded_before` by default.',
    })
    recorded_after: string | null | undefined,
    @Arg('recorded_before', () => DateTime, {
      nullable: true,
      description: 'Only positions before this time (ISO 8601), at most 7 days after `recorded_after`; now by default.',
    })
    recorded_before: string | null | undefined,
    @Args(() => PageArgs) { first, after }: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Page<MarkedPosition>> {
    const accessScope = accessScopeOf(context);
    const until = recorded_before == null ? Date.now() : readDateTime('recorded_before', recorded_before).getTime();
    const from = recorded_after == null ? until - DAY_MS : readDateTime('recorded_after', recorded_after).getTime();
    if (until - from > MAX_DAYS * DAY_MS) {
      throw new ServiceError('BAD_REQUEST', `recorded_after must be at most ${MAX_DAYS} days before recorded_before`);
    }
    checkPageSize(first);
    const device = await DeviceStore.findOne(
      accessScope,
      { key: device_key, status: { $in: PRESENT_STATUSES } },
      'key vehicle_key lease_epoch trip_settings',
    );
    if (!device) throw notFound('device');
    return markedPositionPage(accessScope, device, {
      from,
      until,
      first,
      after,
      meter: pointsMeter(context.work),
    });
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

function shownRejection(stored: StoredRejection): IngestRejection {
  const { outcome, advice } = REJECTIONS[stored.reason];
  return Object.assign(stored, { outcome, advice, first_received: stored.first, last_received: stored.last });
}
