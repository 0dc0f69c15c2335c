import type { TripPoints } from '../../models/trips/trip-points.ts';
import { insertVehicleEvents } from '../../models/vehicles/vehicle-event.ts';
import { isEventFrom } from '../../schema/events/event.ts';

import type { RecordingDevice } from './device-lease.ts';
import type { Service } from '../../models/store/service.ts';

interface ReportedPositions {
  readonly device: RecordingDevice;
  readonly points: TripPoints;
}

const isReported = (event: string) => isEventFrom(event, 'device');

/** Stores reports of devices at their positions as events of their vehicles. Idempotent. */
export async function recordReports(service: Service, sent: readonly ReportedPositions[]): Promise<void> {
  const reports = sent.flatMap(({ device, points }) =>
    [...points.events].flatMap(([at, names]) =>
      names.filter(isReported).map((event) => ({
        event,
        timestamp: new Date(points.time[at] ?? 0),
        account_key: device.account_key,
        vehicle_key: device.vehicle_key,
        device_key: device.key,
        point: { lat: points.lat[at] ?? 0, lon: points.lon[at] ?? 0 },
      })),
    ),
  );
  await insertVehicleEvents(service, reports);
}
