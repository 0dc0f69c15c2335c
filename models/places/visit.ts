import { Visit } from '../../schema/places/visit.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, POINT, required } from '../store/stored-fields.ts';
import { DerivedSpans, instantOf, type Span } from '../trips/derived-spans.ts';
import { derivedKey } from '../trips/leased-records.ts';
import { dateAt } from '../trips/trip.ts';

/** Visits. Those of a device in a vehicle are written under the lease of the device. */
export const VisitStore = storeOf(Visit, {
  collection: 'visits',
  tenancy: 'visit',
  shardKey: { vehicle_key: 1, key: 1 },
  computed: ['status'],
  logged: { kind: 'visit', userField: 'driver_key', shown: { staged: false }, silent: ['epoch'] },
  hidden: {
    account_key: required(String),
    /** The device whose positions they are. */
    device_key: required(String),
    /** The exit, or the maximum date while there is none, so that every query of a time span finds it. */
    until: required(Date),
    /** The first position in the place. */
    entry_point: required(POINT),
    /** True if the vehicle was already in the area when the place got it: it did not arrive. */
    drawn_around: defaulting(Boolean, false),
    /** The first position outside after it; null while there is none. */
    exit_point: nullable(POINT),
    /** True until the lease has been confirmed under which it was written; visible to no one. */
    staged: required(Boolean),
    /** The epoch of the device's lease under which it was last read or changed. */
    epoch: required(Number),
  },
  indexes: [
    [{ account_key: 1, entry_timestamp: -1, key: 1 }],
    [{ vehicle_key: 1, entry_timestamp: -1, key: 1 }],
    [{ account_key: 1, place_key: 1, entry_timestamp: -1, key: 1 }],
    [
      { account_key: 1, driver_key: 1, entry_timestamp: -1, key: 1 },
      { partialFilterExpression: { driver_key: { $type: 'string' } } },
    ],
    [{ account_key: 1, until: -1, key: 1 }],
    [{ vehicle_key: 1, until: -1, key: 1 }],
    [{ vehicle_key: 1, device_key: 1, until: 1, entry_timestamp: 1 }],
  ],
});

/** A visit as it is read from the database. */
export type StoredVisit = StoredIn<typeof VisitStore>;

/** The span of a visit; an open one has no exit. */
export interface VisitSpan extends Span {
  readonly place_key: string;
  /** The user who drove at the entry; null if unknown. */
  readonly driver_key: string | null;
  readonly entry_point: GeoPoint;
  readonly drawn_around: boolean;
  readonly exit_point: GeoPoint | null;
}

/** Visits of a device, read as spans. */
export const visitSpans = new DerivedSpans<StoredVisit, VisitSpan>({
  store: VisitStore,
  begin: 'entry_timestamp',
  keyOf: ({ place_key, from }, { vehicle_key, device_key }) => derivedKey([vehicle_key, device_key, place_key, from]),
  made: ({ place_key, driver_key, from, entry_point, drawn_around }) => {
    return { place_key, driver_key, entry_timestamp: dateAt(from), entry_point, drawn_around };
  },
  changing: ({ until, exit_point }) => {
    return { exit_timestamp: until === Infinity ? null : dateAt(until), exit_point, until: dateAt(until) };
  },
  factsOf: ({ place_key, driver_key, entry_timestamp, until, entry_point, drawn_around, exit_point }) => {
    const span = { from: entry_timestamp.getTime(), until: instantOf(until) };
    return { place_key, driver_key, entry_point, drawn_around, exit_point, ...span };
  },
});
