import { loadMinutes } from '../../models/trips/device-minute.ts';
import { accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { mergeTripPoints } from '../../models/trips/trip-points.ts';
import { loadPointsOfTrips } from '../../models/trips/trip-points-bucket.ts';
import { loadTail } from '../../models/vehicles/device-tail.ts';
import { leasedWorkEnded } from '../../tracking/recording/device-lease.ts';
import { readingAt } from '../../tracking/geometry/readings.ts';
import { tripPointPage } from '../../tracking/views/trip-point-page.ts';
import { testService } from '../services/database.ts';
import type { recordingDevice } from './ingest-host.ts';

/** A position as it is stored. */
export interface StoredPosition {
  readonly time: string;
  readonly place: readonly [lat: number | undefined, lon: number | undefined];
  /** Events and marks. */
  readonly words: readonly string[];
  readonly ignition: number | null;
  readonly battery: number | null;
}

type RecordingDevice = Awaited<ReturnType<typeof recordingDevice>>;

/** All stored positions of a device, wherever they lie, with the marks that no answer shows. */
export async function storedPositions(device: RecordingDevice): Promise<StoredPosition[]> {
  const points = await recordingOf(device);
  return Array.from(points.time, (time, at) => ({
    time: new Date(time).toISOString(),
    place: [points.lat[at], points.lon[at]],
    words: points.events.get(at) ?? [],
    ignition: readingAt(points, 'ignition', at),
    battery: readingAt(points, 'battery_level', at),
  }));
}

/** All stored positions of a device, wherever they lie, as answers show the positions of a trip. */
export async function shownPositions(device: RecordingDevice) {
  const query = { tripKey: '', first: 10_000, after: null };
  const { nodes } = await tripPointPage(testService, await recordingOf(device), query);
  return nodes.map((node) => ({ ...node, timestamp: node.timestamp.toISOString().replace('.000Z', '+00:00') }));
}

/** Reads after work that goes on behind an answer: it moves positions from minutes to trips, which are read one after the other. */
async function recordingOf({ owner, vehicle_key, device_key }: RecordingDevice) {
  await leasedWorkEnded(testService);
  const ofVehicle = vehicleAccessScope(accountAccessScope(testService, owner.key), { key: vehicle_key });
  const recorder = { accessScope: { ...ofVehicle, vehicle_key }, device_key, epoch: 0 };
  const trips = await TripStore.find(ofVehicle, {});
  const minutes = await loadMinutes(recorder, -Infinity, Infinity);
  return mergeTripPoints([
    await loadPointsOfTrips(ofVehicle, trips),
    ...minutes.map((minute) => minute.points),
    await loadTail(recorder),
  ]);
}
