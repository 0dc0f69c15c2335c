import type { GraphQLSchema } from 'graphql';

import { accessOf } from '../../auth/access.ts';
import { accessScopeOf, type Caller, isPermitted, type RequestContext } from '../../auth/caller.ts';
import { TagStore } from '../../models/account/tag.ts';
import { VisitStore } from '../../models/places/visit.ts';
import { PrivacyZoneStore } from '../../models/vehicles/privacy-zone.ts';
import type { LoggedChange } from '../../models/changes/change.ts';
import { CHANGE_KINDS, type Change, type ChangeKind } from '../../schema/changes/change.ts';

import { eventsByKey } from '../events/event-page.ts';
import { visibleVehicles } from '../../tracking/visibility/visible-vehicles.ts';
import { withStatus } from '../places/visit-page.ts';
import { type Keyed, readByKeys } from '../relations/related-record.ts';
import { tripsByKey } from '../trips/list-trips.ts';
import type { TripFields } from '../../tracking/views/trip-fields.ts';
import { relatedTrips } from '../trips/trip-relations.ts';
import type { Service } from '../../models/store/service.ts';

/** The request for which records are read, and the fields of trips that it shows. */
export interface RecordReading {
  readonly context: RequestContext;
  readonly tripFields: TripFields;
}

/** Records of a kind. */
interface ReadableKind {
  /** The root field that shows such records: who may use it learns of their changes. */
  readonly shownBy: string;
  /** The root field that shows the record that is the user's own: who may use no other learns of the changes of that. */
  readonly ownShownBy?: string;
  /** Reads those with some keys that a caller sees. */
  read(keys: readonly string[], reading: RecordReading): Promise<readonly Keyed[]>;
}

const ANY_ORDER = { sort: {} };

const KINDS: Readonly<Record<ChangeKind, ReadableKind>> = {
  device: { shownBy: 'device', read: (keys, { context }) => readByKeys('device', context, keys) },
  event: { shownBy: 'event', read: (keys, { context }) => eventsByKey(context, keys) },
  group: { shownBy: 'group', read: (keys, { context }) => readByKeys('group', context, keys) },
  place: { shownBy: 'place', read: (keys, { context }) => readByKeys('place', context, keys) },
  privacy_zone: {
    shownBy: 'privacyZones',
    read: (keys, { context }) =>
      PrivacyZoneStore.readShown(accessible(context.service, context.caller, keys), ANY_ORDER),
  },
  tag: {
    shownBy: 'tag',
    read: (keys, { context }) => TagStore.readShown(accessible(context.service, context.caller, keys), ANY_ORDER),
  },
  trip: {
    shownBy: 'trip',
    read: async (keys, { context, tripFields }) => {
      const { account_key } = accessScopeOf(context);
      return relatedTrips(context.service, account_key, await tripsByKey(context, keys, tripFields));
    },
  },
  user: {
    shownBy: 'user',
    ownShownBy: 'me',
    read: (keys, { context }) => readByKeys('user', context, keys),
  },
  vehicle: { shownBy: 'vehicle', read: (keys, { context }) => readByKeys('vehicle', context, keys) },
  visit: {
    shownBy: 'visits',
    read: async (keys, { context }) => {
      const found = (await visibleVehicles(context, null)).map(({ accessScope, filter }) => {
        const those = { ...filter, key: { $in: keys }, staged: false };
        return VisitStore.readShown({ accessScope, filter: those }, ANY_ORDER);
      });
      return (await Promise.all(found)).flat().map(withStatus);
    },
  },
};

function accessible(service: Service, caller: Caller, keys: readonly string[]) {
  return { accessScope: accessScopeOf({ service, caller }), filter: { key: { $in: keys } } };
}

/** The kinds of records of whose changes a caller learns: of all that it sees, or of its own alone. */
export interface VisibleKinds {
  readonly all: readonly ChangeKind[];
  readonly own: readonly ChangeKind[];
}

/**
 * The kinds of records of whose changes a caller learns. In an account with privacy zones it is the owner alone who learns of
 * trips and visits: a change of one reveals that a vehicle moved, inside a zone as well.
 */
export function visibleKinds(caller: Caller, schema: GraphQLSchema, hasZones: boolean): VisibleKinds {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const isShown = (name: string) => {
    const { [name]: field } = fields;
    if (!field) throw new TypeError(`There is no query ${name}`);
    return isPermitted(caller, accessOf(field) ?? []);
  };
  const all = CHANGE_KINDS.filter((kind) => isShown(KINDS[kind].shownBy) && !(hasZones && isOfVehicles(kind)));
  const own = CHANGE_KINDS.filter((kind) => {
    const { ownShownBy } = KINDS[kind];
    return ownShownBy !== undefined && !all.includes(kind) && isShown(ownShownBy);
  });
  return { all, own };
}

/** Returns true if records of a kind come and go with vehicles. */
export function isOfVehicles(kind: ChangeKind): boolean {
  return kind === 'event' || kind === 'trip' || kind === 'visit';
}

/**
 * Entries with the records as they are now, each kind read by one query. What a caller does not see now is deleted for it,
 * whatever happened; what it sees is there, even if it was deleted in between. Where a trip, a visit or an event is out of
 * sight with its vehicle, it is the vehicle that is deleted: if that comes back, it is new to the reader, with all of them.
 *
 * @param kinds those of which the caller learns
 */
export async function withRecords(
  entries: readonly LoggedChange[],
  reading: RecordReading,
  kinds: readonly ChangeKind[],
): Promise<Change[]> {
  const found = [...new Set(entries.map(({ kind }) => kind))].map(async (kind) => {
    const ofKind = entries.filter((entry) => entry.kind === kind);
    const keys = ofKind.map(({ key }) => key);
    return [kind, await recordsOf(kind, keys, reading)] as const;
  });
  const records = new Map(await Promise.all(found));
  const recordOf = ({ kind, key }: LoggedChange) => records.get(kind)?.get(key) ?? null;
  const without = kinds.includes('vehicle') ? entries.filter((entry) => recordOf(entry) === null) : [];
  const vehicles = without.flatMap(({ vehicle_key }) => vehicle_key ?? []);
  const present = await recordsOf('vehicle', vehicles, reading);
  const gone = new Set(vehicles.filter((key) => !present.has(key)));
  return entries.map((entry) => {
    const { kind, key, happened, timestamp, late, vehicle_key } = entry;
    const record = recordOf(entry);
    if (record === null && vehicle_key !== null && gone.has(vehicle_key)) {
      return { kind: 'vehicle', key: vehicle_key, happened: 'deleted', timestamp, late: false, vehicle: null };
    }
    const now = record === null ? 'deleted' : happened === 'deleted' ? 'updated' : happened;
    return { kind, key, happened: now, timestamp, late, [kind]: record };
  });
}

async function recordsOf(kind: ChangeKind, keys: readonly string[], reading: RecordReading) {
  const records = keys.length === 0 ? [] : await KINDS[kind].read([...new Set(keys)], reading);
  return new Map(records.map((record) => [record.key, record]));
}
