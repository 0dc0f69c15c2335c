import type { ImportSummary } from '../../tracking/import/import-summary.ts';

/** Maximum number of trips listed for people; `--json` lists more. */
const MAX_LINES = 50;

/** Formats what is implausible about imported trips: trip by trip, or by kind if there are many. */
export async function formatFaults({ faults, fault_totals }: ImportSummary): Promise<string> {
  const { faultSentence, faultTotalSentence } = await import('../../tracking/import/rows/import-fault.ts');
  const sentences =
    faults.length <= MAX_LINES
      ? faults.map(faultSentence)
      : Object.entries(fault_totals).map(([kind, total]) =>
          faultTotalSentence(kind as keyof typeof fault_totals, total),
        );
  return sentences.map((sentence) => `${sentence}\n`).join('');
}

/** Formats which trips were imported, and how many vehicles were created for them. */
export function formatTripCount({ trips, trip_count, created_count, vehicles, vehicle_count }: ImportSummary): string {
  const lines = trips.slice(0, MAX_LINES).map(({ key, started, ended, points, distance_meters, created }) => {
    const kilometers = (distance_meters / 1000).toFixed(1);
    return `  ${key}  ${started} to ${ended}  ${kilometers} km  ${points} points${created ? '' : '  (already imported)'}`;
  });
  if (trip_count > lines.length) lines.push(`  and ${trip_count - lines.length} more`);
  const made = vehicles.filter(({ created }) => created).length;
  const fleet = vehicle_count === 0 ? '' : ` of ${vehicle_count} vehicles, ${made} of them new`;
  return `${[`Imported ${created_count} of ${trip_count} trips${fleet}`, ...lines].join('\n')}\n`;
}
