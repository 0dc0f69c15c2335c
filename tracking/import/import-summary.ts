import type { ImportFailure } from './faults/import-failure.ts';
import type { FaultTotal, ImportFault, ImportFaultKind } from './faults/import-fault.ts';
import type { NamedVehicle } from './vehicle-names.ts';

/** Maximum number of listed trips, vehicles and faults; beyond that they are only counted, to limit memory. */
export const MAX_LISTED = 1000;

/** A trip in a file. */
export interface ImportedTrip {
  readonly key: string;
  readonly file: string;
  readonly vehicle_key: string;
  readonly points: number;
  /** `YYYY-MM-DDThh:mm:ss+00:00` */
  readonly started: string;
  /** `YYYY-MM-DDThh:mm:ss+00:00` */
  readonly ended: string;
  readonly distance_meters: number;
  /** False if the vehicle already had the same trip. */
  readonly created: boolean;
}

/** Outcome of an import, of all files together. */
export type ImportSummary = ReturnType<typeof emptySummary>;

/** The summary of an import that has done nothing; at most a thousand of each kind are listed. */
export function emptySummary() {
  return {
    trips: [] as ImportedTrip[],
    trip_count: 0,
    /** New trips. */
    created_count: 0,
    point_count: 0,
    /** Vehicles that the files name. */
    vehicles: [] as NamedVehicle[],
    vehicle_count: 0,
    /** Implausible data that was imported nevertheless, trip by trip. */
    faults: [] as ImportFault[],
    /** All of this data, by kind. */
    fault_totals: {} as Partial<Record<ImportFaultKind, FaultTotal>>,
    /** Files of which nothing was imported. */
    failures: [] as ImportFailure[],
  };
}

/** Records a fault. */
export function addFault(summary: ImportSummary, fault: ImportFault): void {
  const { file, line, kind, count, trip } = fault;
  if (summary.faults.length < MAX_LISTED) summary.faults.push(fault);
  addTotal(summary, kind, { count, trips: trip === null ? 0 : 1, file, line });
}

/** Adds the summary of a file to that of all files. */
export function addSummary(to: ImportSummary, of: ImportSummary): void {
  const append = <Item>(list: Item[], more: readonly Item[]) => list.push(...more.slice(0, MAX_LISTED - list.length));
  append(to.trips, of.trips);
  append(to.vehicles, of.vehicles);
  append(to.faults, of.faults);
  to.trip_count += of.trip_count;
  to.created_count += of.created_count;
  to.point_count += of.point_count;
  to.vehicle_count += of.vehicle_count;
  for (const [kind, total] of Object.entries(of.fault_totals)) addTotal(to, kind as ImportFaultKind, total);
}

function addTotal(
  { fault_totals }: ImportSummary,
  kind: ImportFaultKind,
  { count, trips, ...first }: FaultTotal,
): void {
  const total = fault_totals[kind] ?? { count: 0, trips: 0, ...first };
  fault_totals[kind] = { ...total, count: total.count + count, trips: total.trips + trips };
}
