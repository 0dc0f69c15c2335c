import { AccountStore } from '../../models/account/account.ts';
import { newKey } from '../../models/key.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { tripLimits } from '../../models/trips/trip-limits.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import { tripFacts } from '../geometry/trip-facts.ts';

import { forEachInSlices, TimeSlice } from '../scheduling/time-slice.ts';
import { stageTrips, type TripToStage } from '../trips/stage-trip.ts';
import { retainedSince } from '../retention/retained-points.ts';

import { AccessibleVehicles } from './accessible-vehicles.ts';
import { RecentTrips } from './contained-trips.ts';
import { adviceFor } from './import-advice.ts';
import { addFault, emptySummary, type ImportSummary, MAX_LISTED } from './import-summary.ts';
import { type FileOptions, formatOf } from './file-formats.ts';
import { readFile } from './read-file.ts';
import { FileError, ImportFailure, withFile } from './faults/import-failure.ts';
import { formatFault, type ImportFaultKind, LOST_POSITION, REMARKS } from './faults/import-fault.ts';
import type { LeftOut } from './rows/stream-position.ts';
import { shownBy, showTrips, unstageTrips } from './show-trips.ts';
import type { CutItem, FileTrip } from './cut-track.ts';
import { type Compared, Overlaps } from './overlaps.ts';
import { cutTrips } from './trip-cutter.ts';
import { VehicleNames } from './vehicle-names.ts';
import type { Service } from '../../models/store/service.ts';

/** Target of an import: one vehicle, or the vehicles of an account that the file names. */
export type ImportTarget =
  | { readonly vehicle: { readonly key: string; readonly account_key: string } }
  | { readonly account_key: string; readonly createsVehicles: boolean };

/** Maximum trips and positions that are staged together; whichever is reached first. */
const TRIPS_AT_ONCE = 100;
const POSITIONS_AT_ONCE = 50_000;

const MAX_NAMED = 10;

/** Faults of which a file may consist without being damaged or in another format. */
const WITHOUT_FAULT: ReadonlySet<ImportFaultKind> = new Set(['no_line', 'not_driven', 'no_activity']);

/** Faults that skip parts of a file that could be read. */
const NOT_DRIVEN: ReadonlySet<ImportFaultKind> = new Set(['standing', 'short_drive']);

/**
 * Imports one file: reads it, cuts it, stages its trips in batches while the next one is read, and shows them at its
 * end. `onBytes` gets the size of each piece that was read, and the trips so far.
 * @throws ImportFailure if the file cannot be imported; nothing of it is stored then
 */
export async function importFile(
  service: Service,
  file: string,
  target: ImportTarget,
  options: FileOptions,
  onBytes: (count: number, trips: number) => void,
): Promise<ImportSummary> {
  const account_key = 'vehicle' in target ? target.vehicle.account_key : target.account_key;
  const account = await AccountStore.findOne(accountAccessScope(service, account_key), {}, 'retention trip_settings');
  const limits = tripLimits(account?.trip_settings, null);
  const since = retainedSince(account?.retention?.positions_days ?? null);
  const overlaps = new Overlaps(service, limits, options.overlap ?? 'merge');
  const work = new FileImport({ service, file, target, options, accountKey: account_key, since, overlaps });
  try {
    const read = readFile(file, options, (count) => onBytes(count, work.tripCount));
    for await (const items of cutTrips(read, { read: options, limits })) {
      for (const item of items) await work.add(item);
    }
    return await work.finish();
  } catch (error) {
    throw await work.takeBack(error);
  }
}

interface ReadTrip extends FileTrip {
  /** Place of the trip in its file, from 1. */
  readonly trip: number;
}

/** A trip whose vehicle is known, on its way into the database. */
type Waiting = TripToStage & Pick<ReadTrip, 'trip' | 'line' | 'faults'>;

interface FileImportContext {
  readonly service: Service;
  readonly file: string;
  readonly target: ImportTarget;
  readonly options: FileOptions;
  readonly accountKey: string;
  /** Trips that ended before this time are not imported. */
  readonly since: number;
  readonly overlaps: Overlaps;
}

class FileImport {
  readonly #service: Service;
  tripCount = 0;
  readonly #file: string;
  readonly #target: ImportTarget;
  readonly #options: FileOptions;
  readonly #accountKey: string;
  readonly #since: number;
  readonly #overlaps: Overlaps;
  /** Keys of the trips that were stored. */
  readonly #keys = new WeakMap<TripToStage, string>();
  readonly #run = newKey();
  readonly #slice = new TimeSlice();
  readonly #summary = emptySummary();
  readonly #vehicles: VehicleNames;
  readonly #accessible: AccessibleVehicles;
  readonly #leftOut = new Map<ImportFaultKind, Pick<LeftOut, 'line' | 'written'> & { count: number }>();
  readonly #recent = new RecentTrips();
  #read: ReadTrip[] = [];
  #readPositions = 0;
  #staging: Promise<void> = Promise.resolve();

  constructor({ service, file, target, options, accountKey, since, overlaps }: FileImportContext) {
    this.#overlaps = overlaps;
    this.#service = service;
    this.#file = file;
    this.#options = options;
    this.#target = target;
    this.#accountKey = accountKey;
    this.#since = since;
    this.#vehicles = new VehicleNames(service, this.#accountKey);
    this.#accessible = new AccessibleVehicles(service, this.#accountKey);
  }

  /** Adds the next item of the file; stages the trips so far once they fill a batch. */
  async add(item: CutItem): Promise<void> {
    if (item.kind === 'left_out') {
      const met = this.#leftOut.get(item.fault);
      const { count = 1 } = item;
      if (met) met.count += count;
      else this.#leftOut.set(item.fault, { ...item, count });
      return;
    }
    this.#read.push({ ...item, trip: ++this.tripCount });
    this.#readPositions += item.points?.length ?? 0;
    if (this.#read.length >= TRIPS_AT_ONCE || this.#readPositions >= POSITIONS_AT_ONCE) await this.#stageRead();
  }

  async finish(): Promise<ImportSummary> {
    await this.#stageRead();
    await this.#staging;
    this.#checkMissing();
    await this.#checkSomething();
    for (const [kind, { count, line }] of this.#leftOut) {
      addFault(this.#summary, { file: this.#file, trip: null, kind, count, line });
    }
    if (this.tripCount === 0) {
      const kinds = [...this.#leftOut.keys()];
      const kind = kinds.some((one) => NOT_DRIVEN.has(one)) ? 'no_drive' : 'no_trip';
      const isSaid = kind === 'no_trip' && !kinds.every((one) => REMARKS.has(one));
      if (!isSaid) addFault(this.#summary, { file: this.#file, trip: null, kind, count: 1, line: 1 });
    }
    await this.#vehicles.createNew();
    const created_count = await showTrips(this.#service, this.#accountKey, this.#run);
    const { keys: changed, odometers } = await this.#accessible.changes();
    await tripsChanged(this.#service, this.#accountKey, changed, odometers);
    const keys = this.#summary.trips.map(({ key }) => key);
    const isAllNew = created_count === this.#summary.trip_count;
    const created = new Set(isAllNew ? keys : await shownBy(this.#service, this.#accountKey, keys, this.#run));
    return {
      ...this.#summary,
      created_count,
      trips: this.#summary.trips.map((trip) => ({ ...trip, created: created.delete(trip.key) })),
      vehicles: this.#vehicles.list(MAX_LISTED),
      vehicle_count: this.#vehicles.count,
    };
  }

  /** Removes the staged trips of a file that cannot be imported; returns the error to throw. */
  async takeBack(error: unknown): Promise<unknown> {
    await this.#staging.catch(() => {});
    const failure = withFile(this.#file, error);
    if (failure instanceof ImportFailure) await unstageTrips(this.#service, this.#accountKey, this.#run);
    return failure;
  }

  /** Computes the waiting trips, and stages them while the next ones are read. */
  async #stageRead(): Promise<void> {
    const read = this.#read;
    this.#read = [];
    this.#readPositions = 0;
    const waiting = await this.#workOut(read);
    await this.#staging;
    this.#staging = this.#stage(waiting);
    // It is awaited before the next batch; a failure before that must not end the process.
    this.#staging.catch(() => {});
  }

  async #workOut(read: readonly ReadTrip[]): Promise<Waiting[]> {
    const names = read.flatMap(({ vehicle }) => vehicle ?? []);
    if ('account_key' in this.#target) await this.#vehicles.lookUp(names, this.#target.createsVehicles);
    const waiting: Waiting[] = [];
    const trips = read.map((trip) => ({ ...trip, vehicle_key: this.#keyOf(trip.vehicle) }));
    const contained = this.#recent.add(trips);
    await forEachInSlices(this.#slice, trips, (readTrip) => {
      const { vehicle_key, faults, line, points, trip } = readTrip;
      const isContained = contained.has(readTrip);
      if (isContained) faults.report('contained_trip', line);
      const facts = points && tripFacts(points);
      const isOld = facts !== null && facts.end_point.timestamp.getTime() < this.#since;
      if (isOld) faults.report('old_trip', line);
      if (!facts || isOld || isContained || vehicle_key === undefined) this.#noteFaults(readTrip);
      else waiting.push({ account_key: this.#accountKey, vehicle_key, facts, points, trip, line, faults });
    });
    // A file with a missing vehicle is not imported, but is read to its end to name all missing ones.
    return this.#vehicles.missing.size === 0 ? waiting : [];
  }

  #keyOf(vehicle: string | null): string | undefined {
    if ('vehicle' in this.#target) return this.#target.vehicle.key;
    if (vehicle === null) throw new FileError('the file names no vehicle; pass --vehicle');
    return this.#vehicles.keyOf(vehicle);
  }

  async #stage(waiting: readonly Waiting[]): Promise<void> {
    const compared = await this.#overlaps.compare(waiting);
    const parts = compared.flatMap((one) => one.parts);
    await this.#accessible.add(parts);
    const staged = await stageTrips(this.#service, parts, this.#run);
    for (const [i, part] of parts.entries()) {
      const { key, isRepeated } = staged[i] ?? { key: '', isRepeated: false };
      if (isRepeated) part.faults.report('repeated_trip', part.line);
      this.#keys.set(part, key);
    }
    for (const one of compared) this.#list(one);
  }

  /** Lists what was stored of a trip, or the trip that the vehicle has instead. */
  #list({ trip, parts, recorded }: Compared<Waiting>): void {
    if (recorded) {
      const isWhole = parts.includes(trip);
      trip.faults.report(
        isWhole ? 'overlapping_trip' : parts.length > 0 ? 'recorded_part' : 'recorded_trip',
        trip.line,
      );
    }
    this.#noteFaults(trip);
    for (const part of parts) this.#listTrip(part, this.#keys.get(part) ?? '');
    if (parts.length > 0 || !recorded) return;
    this.#listTrip(trip, typeof recorded.trip === 'string' ? recorded.trip : (this.#keys.get(recorded.trip) ?? ''));
  }

  #listTrip({ facts, vehicle_key }: Waiting, key: string): void {
    this.#summary.trip_count++;
    this.#summary.point_count += facts.point_count;
    if (this.#summary.trips.length >= MAX_LISTED) return;
    this.#summary.trips.push({
      key,
      file: this.#file,
      vehicle_key,
      points: facts.point_count,
      started: formatOffsetDateTime(facts.start_point.timestamp),
      ended: formatOffsetDateTime(facts.end_point.timestamp),
      distance_meters: facts.distance_meters,
      created: false,
    });
  }

  #noteFaults({ trip, faults }: Pick<ReadTrip, 'trip' | 'faults'>): void {
    for (const [kind, { count, line }] of faults.faults)
      addFault(this.#summary, { file: this.#file, trip, kind, count, line });
  }

  #checkMissing(): void {
    const missing = [...this.#vehicles.missing];
    if (missing.length === 0) return;
    const named = missing.slice(0, MAX_NAMED).join(', ');
    const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
    throw new FileError(`the account has no vehicle ${named}${more}; --create-vehicles creates them`);
  }

  /** Rejects a file of which nothing could be read: it is more likely in another format than damaged. */
  async #checkSomething(): Promise<void> {
    const [kind, { line, written } = { line: 1 }] = [...this.#leftOut].find(([met]) => !REMARKS.has(met)) ?? [null];
    const lost = this.#summary.faults.find((fault) => LOST_POSITION.has(fault.kind));
    const first = kind === null ? lost : { kind, line };
    if (this.#summary.trip_count > 0 || !first || WITHOUT_FAULT.has(first.kind)) return;
    if ([...NOT_DRIVEN].some((met) => this.#leftOut.has(met))) return;
    const advice = adviceFor(first.kind, await formatOf(this.#file, this.#options), written);
    const reason = `the line ${formatFault(first.kind)}, like every other line; ${advice}`;
    throw new FileError(reason, { line: first.line, column: 1 });
  }
}
