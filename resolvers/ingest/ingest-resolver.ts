import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { Caller, RequestContext } from '../../auth/caller.ts';
import { IngestResult } from '../../schema/vehicles/ingest-result.ts';
import { Untyped } from '../../schema/untyped.ts';

import { findDevices, sentBy } from './find-devices.ts';
import { badParameter, readText, RejectedMessage } from '../../tracking/ingest/json-reader.ts';
import { readBatch, type SentBySerial } from '../../tracking/ingest/read-batch.ts';
import { readPoints } from '../../tracking/ingest/read-points.ts';
import { readTraccar } from '../../tracking/ingest/read-traccar.ts';
import { noting, type Received, type Sender } from '../../tracking/ingest/received.ts';
import {
  type DeviceReports,
  isInVehicle,
  recordEach,
  recordOne,
  refusedOr,
  senderOf,
} from '../../tracking/ingest/record-sent.ts';
import type { Service } from '../../models/store/service.ts';

/** Takes positions from devices, and from servers that forward for them. */
@Resolver()
export class IngestResolver {
  @Access('ingest')
  @Mutation(() => IngestResult, {
    description:
      'Adds positions: `points` of a device, a `batch` of several, or an unchanged message of Traccar (`position`, `event` and ' +
      '`device`). Positions can arrive in any order. Idempotent.',
  })
  async ingest(
    @Arg('points', () => Untyped, { nullable: true, description: 'Trip points, at most 1,000.' }) points: unknown,
    @Arg('serial', () => Untyped, {
      nullable: true,
      description: 'Serial of the device of `points`; a device may omit its own.',
    })
    serial: unknown,
    @Arg('device', () => Untyped, { nullable: true, description: "Traccar's device; `uniqueId` is the serial." })
    device: unknown,
    @Arg('position', () => Untyped, { nullable: true, description: "Traccar's position, its speed in knots." })
    position: unknown,
    @Arg('event', () => Untyped, { nullable: true, description: "Traccar's event." }) event: unknown,
    @Arg('batch', () => Untyped, {
      nullable: true,
      description:
        'Instead of `points`: objects, each with the `serial` and the `points` of a device; 1,000 points in all.',
    })
    batch: unknown,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<IngestResult> {
    const now = Date.now();
    const sender = senderOf(caller);
    if (batch !== undefined) {
      const isAlone = [points, position, event].every((other) => other === undefined);
      if (!isAlone) throw badParameter('batch', 'cannot be combined with points, position or event');
      const count = positionsIn(...(Array.isArray(batch) ? batch : []));
      return recordBatch(service, sender, { path: 'batch', message: { batch }, count }, batch);
    }
    const isTraccar = points === undefined && (position !== undefined || event !== undefined);
    if (isTraccar) {
      const received = { path: 'traccar', message: { position, event }, serial: Object(device).uniqueId } as const;
      // Traccar sends again whatever is not answered with success.
      const read = () =>
        noting(service, sender, received, async () => {
          const { ignored, ...named } = readTraccar({ device, position, event }, now);
          return { ignored, sent: await sentBy(service, sender, named) };
        });
      return refusedOr(read, ({ ignored, sent }) => recordOne(service, sender, { ...received, ignored }, sent));
    }
    const received = { path: 'points', message: { points }, serial, count: positionsIn({ points }) } as const;
    const read = async () =>
      sentBy(service, sender, { serial: readSerial(serial, caller), reports: readPoints('points', points, now) });
    return recordOne(service, sender, received, await noting(service, sender, received, read));
  }
}

/** Reads the serial of a device; null if the credentials alone identify it. */
function readSerial(serial: unknown, caller: Caller): string | null {
  const isGiven = serial !== undefined && serial !== null;
  if (!isGiven && caller.kind === 'forwarder') throw badParameter('serial', 'is required');
  return isGiven ? readText('serial', serial) : null;
}

/** The number of positions in lists of them, at least 1. */
function positionsIn(...sent: readonly { readonly points?: unknown }[]): number {
  const lists = sent.map((one) => Object(one).points as unknown);
  return Math.max(
    1,
    lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0),
  );
}

/** Records positions of several devices; one that is named twice is one. */
async function recordBatch(service: Service, sender: Sender, received: Received, sent: unknown): Promise<IngestResult> {
  const devices = await noting(service, sender, received, async () => {
    const batch = readBatch(sent, Date.now());
    return devicesOf(batch, await findDevices(service, sender, batch));
  });
  return recordEach(service, sender, received, [...devices.values()]);
}

function devicesOf(batch: readonly SentBySerial[], devices: Awaited<ReturnType<typeof findDevices>>) {
  const sent = new Map<string, DeviceReports>();
  for (const [at, { reports, serial }] of batch.entries()) {
    const device = devices[at];
    const rejected = (reason: 'unknown_device' | 'no_vehicle', fault: string) =>
      new RejectedMessage(reason, `batch[${at}].serial ${fault}`, serial);
    if (!device) throw rejected('unknown_device', 'does not match a device of the account');
    if (!isInVehicle(device)) throw rejected('no_vehicle', 'is of a device that is not assigned to a vehicle');
    const earlier = sent.get(device.key);
    sent.set(device.key, { device, reports: earlier ? [...earlier.reports, ...reports] : reports });
  }
  return sent;
}
