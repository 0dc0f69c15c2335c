import { VehicleStore, nicknameFields } from '../../models/vehicles/vehicle.ts';
import { newKey } from '../../models/key.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { VehicleInput } from '../../schema/vehicles/vehicle.ts';

import { memberGroups } from '../groups/member-groups.ts';
import { checkName } from '../../schema/check-name.ts';
import { checkDriver } from '../users/account-drivers.ts';

const FIRST_YEAR = 1886;
const LAST_YEAR = 2100;
const MAX_ODOMETER = 10_000_000;

/**
 * Makes a vehicle; returns its key.
 * @throws ServiceError BAD_REQUEST naming a parameter; FORBIDDEN for a user restricted to groups who names none
 */
export async function createVehicle(accessScope: AccessScope, input: VehicleInput): Promise<string> {
  const key = newKey();
  const now = new Date();
  const change = await vehicleChange(accessScope, { group_keys: [], ...input }, []);
  const { account_key } = accessScope;
  await VehicleStore.create(accessScope, {
    ...nicknameFields(null),
    ...change,
    key,
    account_key,
    created: now,
    updated: now,
  });
  return key;
}

/**
 * Changes the given fields of a vehicle; returns false where it is not in the access scope. Groups are set on the vehicle as it
 * was read, again where they change meanwhile, since those out of the caller's sight stay as they are.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter
 */
export async function updateVehicle(accessScope: AccessScope, key: string, input: VehicleInput): Promise<boolean> {
  for (;;) {
    const found = await VehicleStore.findOne(accessScope, { key }, { group_keys: 1 });
    if (!found || Object.keys(input).length === 0) return found !== null;
    const { group_keys } = found;
    const isReading = Object.keys(input).every((name) => name === 'odometer');
    const change = {
      ...(await vehicleChange(accessScope, input, group_keys)),
      ...(isReading ? {} : { updated: new Date() }),
    };
    const asRead = input.group_keys === undefined ? { key } : { key, group_keys };
    const { matchedCount } = await VehicleStore.updateOne(accessScope, asRead, change);
    if (matchedCount > 0) return true;
  }
}

/** The stored fields that an input sets. */
async function vehicleChange(accessScope: AccessScope, input: VehicleInput, groupsBefore: readonly string[]) {
  const { nickname, vin, plate_number, year, make, model, odometer, driver_key, group_keys } = input;
  if (group_keys === null) throw new ServiceError('BAD_REQUEST', 'group_keys must be a list');
  return {
    ...(nickname !== undefined && nicknameFields(nameOrNull('nickname', nickname))),
    ...(vin !== undefined && { vin: vin === null ? null : checkVin(vin) }),
    ...(plate_number !== undefined && { plate_number: nameOrNull('plate_number', plate_number) }),
    ...(year !== undefined && { year: numberOrNull('year', year, FIRST_YEAR, LAST_YEAR) }),
    ...(make !== undefined && { make: nameOrNull('make', make) }),
    ...(model !== undefined && { model: nameOrNull('model', model) }),
    ...(odometer !== undefined && { odometer: numberOrNull('odometer', odometer, 0, MAX_ODOMETER) }),
    ...(driver_key !== undefined && { driver_key: await checkDriver('driver_key', driver_key, accessScope) }),
    ...(group_keys !== undefined && (await memberGroups(accessScope, group_keys, groupsBefore))),
  };
}

function nameOrNull(parameter: string, text: string | null): string | null {
  return text === null ? null : checkName(parameter, text);
}

function numberOrNull(parameter: string, number: number | null, least: number, greatest: number): number | null {
  if (number === null || (number >= least && number <= greatest)) return number;
  throw new ServiceError('BAD_REQUEST', `${parameter} must be ${least} to ${greatest}`);
}

/** A vehicle identification number in capitals (ISO 3779: 17 characters without I, O and Q). */
function checkVin(text: string): string {
  const vin = text.trim().toUpperCase();
  if (/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) return vin;
  throw new ServiceError('BAD_REQUEST', 'vin must have 17 letters and digits, without I, O and Q');
}
