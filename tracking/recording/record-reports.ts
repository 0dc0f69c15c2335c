import type { TripPoints } from '../../models/trips/trip-points.ts';
import { insertVehicleEvents } from '../../models/vehicles/vehicle-event.ts';
import { isEventFrom } from '../../schema/events/event.ts';
import { isMarkWord } from '../../models/trips/position-marks.ts';

import { IGNITION_OFF } from '../trips/cut-recording.ts';
import type { RecordingDevice } from './device-lease.ts';
import type { Service } from '../../models/store/service.ts';

interface ReportedPositions {
  readonly device: RecordingDevice;
  readonly points: TripPoints;
}

/** Words of the engine, which trips follow from. */
const ENGINE_WORDS: ReadonlySet<string> = new Set(['engine_start', 'engine_stop', IGNITION_OFF]);

/** Stores reports of devices at their positions as events of their vehicles. Idempotent. */
export async function recordReports(service: Service, sent: readonly ReportedPositions[]): Promise<void> {
  const reports = sent.flatMap(({ device, points }) =>
    [...points.events].flatMap(([at, words]) =>
      words.filter(isReport).map((word) => ({
        ...kindOf(word),
        timestamp: new Date(points.time[at] ?? 0),
        account_key: device.account_key,
        vehicle_key: device.vehicle_key,
        device_key: device.key,
        point: placeAt(points, at),
      })),
    ),
  );
  await insertVehicleEvents(service, reports);
}

/** A position's place; null if it is 0, 0: the device has not had a fix yet. */
function placeAt(points: TripPoints, at: number) {
  const [lat = 0, lon = 0] = [points.lat[at], points.lon[at]];
  return lat === 0 && lon === 0 ? null : { lat, lon };
}

function isReport(word: string): boolean {
  return !isMarkWord(word) && !ENGINE_WORDS.has(word);
}

function kindOf(word: string) {
  return isEventFrom(word, 'device') && word !== 'other' ? { event: word } : { event: 'other' as const, name: word };
}
