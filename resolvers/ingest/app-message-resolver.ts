import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { Untyped } from '../../schema/untyped.ts';
import { IngestResult } from '../../schema/vehicles/ingest-result.ts';

import { type Members, readObject } from '../../tracking/ingest/json-reader.ts';
import { sentBy } from './find-devices.ts';
import { readOsmAnd } from '../../tracking/ingest/read-osm-and.ts';
import { readOwnTracks } from '../../tracking/ingest/read-own-tracks.ts';
import { recordOne, refusedOr, senderOf } from '../../tracking/ingest/record-sent.ts';

/** Takes positions from apps of telephones, in the form in which these send them. */
@Resolver()
export class AppMessageResolver {
  @Access('ingest')
  @Mutation(() => IngestResult, {
    description:
      'Adds the position of a message as OsmAnd and Traccar Client send it.\n\nThe `id`, in JSON `device_id`, is the ' +
      "device's own key. A message that can never be stored is answered with success, and the reason is in `refused`.",
  })
  async ingestOsmAnd(
    @Arg('message', () => Untyped, { description: 'Parameters, or the JSON of Traccar Client 9.' }) message: unknown,
    @Ctx() context: RequestContext,
  ): Promise<IngestResult> {
    return recordMessage(message, readOsmAnd, context);
  }

  @Access('ingest')
  @Mutation(() => [Untyped], {
    description:
      "Adds the position of a message as OwnTracks sends it.\n\nThe password of HTTP Basic is the device's own key, " +
      'with any user name. Messages other than locations, and those that can never be stored, are answered like the ' +
      'others, and ignored.',
  })
  async ingestOwnTracks(
    @Arg('message', () => Untyped, { description: 'A message in the JSON of OwnTracks.' }) message: unknown,
    @Ctx() context: RequestContext,
  ): Promise<unknown[]> {
    await recordMessage(message, readOwnTracks, context);
    return [];
  }
}

/** Records a message of a device; the apps send again, before all others, whatever is not answered with success. */
function recordMessage(
  message: unknown,
  read: (message: Members, now: number) => TripPoints,
  { service, caller }: RequestContext,
): Promise<IngestResult> {
  const sender = senderOf(caller);
  return refusedOr(
    async () => read(readObject('message', message), Date.now()),
    async (points) => recordOne(service, sender, await sentBy(service, sender, { serial: null, points })),
  );
}
