import { mergeTripPoints } from '../../models/trips/trip-points.ts';
import type { IngestResult } from '../../schema/vehicles/ingest-result.ts';

import type { AccountAreas } from '../areas/account-areas.ts';
import { appendPoints, type SentPositions } from './append-points.ts';
import { closeTripsOnLeaving } from './close-offline-trips.ts';
import { mapInBatches } from '../scheduling/map-in-batches.ts';
import { recordPoints } from './record-points.ts';
import { recordReports } from './record-reports.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Records positions of devices of one account, each device once in a vehicle: by few commands for all that only continue a trip, and
 * one after another for the rest. Returns, once everything is stored and visible, how many positions were new, and how many were
 * known or repeated.
 *
 * @param areas the privacy zones, places and rules of the account
 */
export async function recordPositions(
  service: Service,
  account_key: string,
  sent: readonly SentPositions[],
  areas: AccountAreas,
): Promise<IngestResult> {
  const merged = sent.map(({ device, points }) => ({ device, points: mergeTripPoints([points]) }));
  const appended = await appendPoints(service, account_key, merged, areas);
  await recordReports(
    service,
    merged.filter((one) => appended.has(one)),
  );
  const accepted = await mapInBatches(merged, async (one) => appended.get(one) ?? record(service, one, areas));
  const fresh = sum(accepted);
  return { accepted: fresh, duplicates: sum(sent.map(({ points }) => points.length)) - fresh, refused: null };
}

async function record(service: Service, { device, points }: SentPositions, areas: AccountAreas): Promise<number> {
  const fresh = await recordPoints(service, device, points, areas);
  // Nothing continues a trip of a vehicle that it has left.
  if (device.hasLeft) await closeTripsOnLeaving(service, device);
  return fresh;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
