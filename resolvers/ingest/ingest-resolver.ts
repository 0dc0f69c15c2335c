import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type Caller, type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { foldSerial } from '../../models/vehicles/serial-grams.ts';
import { IngestResult } from '../../schema/vehicles/ingest-result.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { Untyped } from '../../schema/untyped.ts';

import { badParameter, readText } from './json-reader.ts';
import { readPoints } from './read-points.ts';
import { readTraccar } from './read-traccar.ts';
import type { RecordingDevice } from '../recording/device-lease.ts';
import { recordPoints } from '../recording/record-points.ts';

/** Takes positions from devices, and from servers that forward for them. */
@Resolver()
export class IngestResolver {
  @Access('ingest')
  @Mutation(() => IngestResult, {
    description:
      'Adds positions of a device: `points`, or a message of Traccar (`position`, `event` and `device`) as it is. ' +
      'Any order will do, and sending again adds nothing twice.',
  })
  async ingest(
    @Arg('points', () => Untyped, { nullable: true, description: 'Trip points, at most 1,000.' }) points: unknown,
    @Arg('serial', () => Untyped, {
      nullable: true,
      description: 'Serial of the device that `points` are of; a device may leave out its own.',
    })
    serial: unknown,
    @Arg('device', () => Untyped, { nullable: true, description: "Traccar's device; `uniqueId` is the serial." })
    device: unknown,
    @Arg('position', () => Untyped, { nullable: true, description: "Traccar's position, its speed in knots." })
    position: unknown,
    @Arg('event', () => Untyped, { nullable: true, description: "Traccar's event." }) event: unknown,
    @Ctx() { caller }: RequestContext,
  ): Promise<IngestResult> {
    const now = Date.now();
    const isTraccar = points === undefined && (position !== undefined || event !== undefined);
    const sent = isTraccar
      ? readTraccar({ device, position, event }, now)
      : { serial: readSerial(serial, caller), points: readPoints(points, now) };
    return recordPoints(await deviceOf(caller, sent.serial), sent.points);
  }
}

/** Reads the serial of a device; null if the credentials alone identify it. */
function readSerial(serial: unknown, caller: Caller): string | null {
  const isGiven = serial !== undefined && serial !== null;
  if (!isGiven && caller.kind === 'forwarder') throw badParameter('serial', 'is required');
  return isGiven ? readText('serial', serial) : null;
}

/**
 * The device of a caller.
 *
 * @throws ServiceError NOT_FOUND if there is none, BAD_REQUEST if it is in no vehicle
 */
async function deviceOf(caller: Caller, serial: string | null): Promise<RecordingDevice> {
  const which = {
    ...(caller.kind === 'device' && { key: caller.device_key }),
    ...(serial !== null && { serial_folded: foldSerial(serial) }),
  };
  const there = { ...which, status: { $in: ['pending' as const, 'installed' as const] } };
  const device = await DeviceModel.findOne(there, 'key account_key vehicle_key', {
    accessScope: accessScopeOf(caller),
  }).lean();
  if (!device) throw notFound('device');
  const { key, account_key, vehicle_key } = device;
  if (vehicle_key === null) throw new ServiceError('BAD_REQUEST', 'The device is in no vehicle');
  return { key, account_key, vehicle_key };
}
