import { insertVehicleEvents } from '../../models/vehicles/vehicle-event.ts';
import { isReported } from '../../schema/events/event.ts';

import type { SentPositions } from '../recording/append-points.ts';

/** Stores what devices report at their positions as events of their vehicles; a report that is known is stored once. */
export async function recordReports(account_key: string, sent: readonly SentPositions[]): Promise<void> {
  const reports = sent.flatMap(({ device, points }) =>
    [...points.events].flatMap(([at, names]) =>
      names.filter(isReported).map((event) => ({
        event,
        timestamp: new Date(points.time[at] ?? 0),
        account_key,
        vehicle_key: device.vehicle_key,
        device_key: device.key,
        point: { lat: points.lat[at] ?? 0, lon: points.lon[at] ?? 0 },
      })),
    ),
  );
  await insertVehicleEvents(reports);
}
