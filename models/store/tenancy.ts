import type { Aggregate, Query, Schema } from 'mongoose';

import type { Service } from './service.ts';

/**
 * Access scope of a caller: one account, of it only the given groups and those below them (null: all), and for records of
 * a vehicle, the one vehicle, which must have been found in this access scope; trips may be those of several, or of all
 * vehicles of the account (null). A driver sees only trips and visits on which it
 * drove, and, in any groups, changes of these and of itself; a viewer with the link of a share sees only the shared trip,
 * or those of the shared vehicles.
 */
export interface AccessScope {
  readonly service: Service;
  readonly account_key: string;
  readonly group_keys: readonly string[] | null;
  readonly vehicle_key?: string;
  readonly vehicle_keys?: readonly string[] | null;
  readonly driver_key?: string;
  readonly trip_key?: string;
}

/** Access to every account of a service, for the command line, sign-in and housekeeping. */
export interface Unrestricted {
  readonly service: Service;
  readonly isUnrestricted: true;
}

/** The part of the records of tenants that may be read and written. */
export type Scope = AccessScope | Unrestricted;

/** Returns the access to every account of a service. */
export function unrestricted(service: Service): Unrestricted {
  return { service, isUnrestricted: true };
}

/** Returns true if access is to every account. */
export function isUnrestricted(scope: Scope): scope is Unrestricted {
  return 'isUnrestricted' in scope;
}

/**
 * Relation of a record to its tenant: it is the account (`self`), or belongs to an account, groups, a vehicle, or is a trip or
 * a visit of one; or it is a change of a record, which belongs to groups or else to the account (null in place of a path).
 */
export type Tenancy = 'self' | 'account' | 'groups' | 'vehicle' | 'trip' | 'visit' | 'change';

/** Narrows an access scope to the records of one vehicle, which must have been found in it. */
export function vehicleAccessScope(accessScope: AccessScope, vehicle: { readonly key: string }): AccessScope {
  return { ...accessScope, vehicle_key: vehicle.key };
}

/**
 * Narrows an access scope to the trips of vehicles, which must have been found in it; null stands for all vehicles of the
 * account, which only unrestricted callers see.
 */
export function tripsAccessScope(accessScope: AccessScope, vehicleKeys: readonly string[] | null): AccessScope {
  return { ...accessScope, vehicle_keys: vehicleKeys };
}

/** Returns the access scope of an account's owner. */
export function accountAccessScope(service: Service, accountKey: string): AccessScope {
  return { service, account_key: accountKey, group_keys: null };
}

/** Returns the conditions that documents in an access scope fulfil. */
export function narrow(tenancy: Tenancy, accessScope: AccessScope): Record<string, unknown> {
  switch (tenancy) {
    case 'self':
      return { key: accessScope.account_key };
    case 'account':
      return { account_key: accessScope.account_key };
    case 'groups':
      return narrowToGroups(accessScope);
    case 'change':
      // Drivers have no entries of vehicles, which would report that one came back: they see all of theirs, in any groups.
      return accessScope.driver_key === undefined
        ? narrowToGroups(accessScope, null)
        : { account_key: accessScope.account_key, user_keys: accessScope.driver_key };
    case 'vehicle':
      if (accessScope.vehicle_key === undefined)
        throw new TypeError('Rejected: this query needs the access scope of one vehicle');
      return { account_key: accessScope.account_key, vehicle_key: accessScope.vehicle_key };
    case 'trip':
      return {
        ...narrowToVehicles(accessScope),
        ...narrowToDriver('user_key', accessScope),
        ...(accessScope.trip_key !== undefined && { key: accessScope.trip_key }),
      };
    case 'visit':
      return { ...narrowToVehicles(accessScope), ...narrowToDriver('driver_key', accessScope) };
  }
}

/** @param others paths of records that are accessible regardless of groups */
function narrowToGroups({ account_key, group_keys }: AccessScope, ...others: readonly null[]): Record<string, unknown> {
  return group_keys === null ? { account_key } : { account_key, group_path: { $in: [...others, ...group_keys] } };
}

function narrowToDriver(field: string, { driver_key }: AccessScope): Record<string, string> {
  return driver_key === undefined ? {} : { [field]: driver_key };
}

function narrowToVehicles(accessScope: AccessScope): Record<string, unknown> {
  const { account_key, group_keys, vehicle_keys } = accessScope;
  if (accessScope.vehicle_key !== undefined || vehicle_keys === undefined) return narrow('vehicle', accessScope);
  if (vehicle_keys !== null) return { account_key, vehicle_key: { $in: vehicle_keys } };
  if (group_keys !== null) throw new TypeError('Rejected: a restricted caller does not see the trips of all vehicles');
  return { account_key };
}

/** Returns true if a document that belongs to groups fulfils the conditions of {@link narrow}. */
export function isAccessible(
  { account_key, group_keys }: AccessScope,
  document: { readonly account_key: string; readonly group_path: readonly string[] },
): boolean {
  if (document.account_key !== account_key) return false;
  return group_keys === null || document.group_path.some((key) => group_keys.includes(key));
}

const NARROWED_QUERIES = [
  'countDocuments',
  'deleteMany',
  'deleteOne',
  'distinct',
  'find',
  'findOne',
  'findOneAndDelete',
  'findOneAndReplace',
  'findOneAndUpdate',
  'replaceOne',
  'updateMany',
  'updateOne',
] as const;

const REFUSED_STATICS = ['bulkWrite', 'bulkSave', 'estimatedDocumentCount', 'watch'] as const;

/** Option of a query that a store has narrowed. */
export const NARROWED = { isNarrowed: true } as const;

/**
 * Rejects queries of a tenant's model that its store has not narrowed, or that cannot be narrowed. Only stores
 * separate accounts and groups; queries that bypass them fail closed.
 */
export function rejectUnnarrowed(schema: Schema): void {
  schema.pre([...NARROWED_QUERIES], function (this: Query<unknown, unknown>) {
    demandNarrowed(this.getOptions());
  });
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    demandNarrowed(this.options);
  });
  for (const name of REFUSED_STATICS) {
    schema.static(name, () => {
      throw new TypeError(`Rejected: ${name} cannot be narrowed to an access scope`);
    });
  }
}

function demandNarrowed(options: object): void {
  if ('isNarrowed' in options && options.isNarrowed === true) return;
  throw new TypeError('Rejected: a query of tenant data must go through its store');
}
