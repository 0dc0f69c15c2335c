import { createHash } from 'node:crypto';

import { insertMissing } from '../../models/store/duplicate-key.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { nicknameFields, VehicleStore } from '../../models/vehicles/vehicle.ts';
import { nameFault } from '../../schema/check-name.ts';

import { FileError } from './faults/import-failure.ts';
import type { Service } from '../../models/store/service.ts';

/** A vehicle that a file names. */
export interface NamedVehicle {
  readonly key: string;
  readonly name: string;
  readonly created: boolean;
}

const VEHICLES_AT_ONCE = 500;

const MAX_MISSING = 1000;

/**
 * Finds the vehicles of an account by their key or nickname in a file. The key of a new vehicle is derived from its
 * account and name, so that importing the name again finds it, even if it was renamed.
 */
export class VehicleNames {
  readonly #service: Service;
  readonly #accountKey: string;
  readonly #keys = new Map<string, string>();
  /** Of these, the ones that are not there yet. */
  readonly #new = new Set<string>();
  /** Names without a vehicle, at most a thousand. */
  readonly missing = new Set<string>();

  constructor(service: Service, accountKey: string) {
    this.#service = service;
    this.#accountKey = accountKey;
  }

  /** Vehicles that the file has named so far, and the account has or will have. */
  get count(): number {
    return this.#keys.size;
  }

  /** The key of a vehicle by a name that was looked up; undefined if no vehicle has it. */
  keyOf(name: string): string | undefined {
    return this.#keys.get(name);
  }

  /**
   * Looks up names. With `creates`, {@link createNew} will create the missing vehicles.
   *
   * @throws FileError for a nickname of several vehicles, and for a new vehicle with an impossible name
   */
  async lookUp(names: Iterable<string>, creates: boolean): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !this.#keys.has(name) && !this.missing.has(name));
    for (let from = 0; from < unknown.length; from += VEHICLES_AT_ONCE) {
      await this.#lookUp(unknown.slice(from, from + VEHICLES_AT_ONCE), creates);
    }
  }

  async createNew(): Promise<void> {
    const names = [...this.#new];
    for (let from = 0; from < names.length; from += VEHICLES_AT_ONCE) {
      const documents = names.slice(from, from + VEHICLES_AT_ONCE).map((nickname) => ({
        key: this.#keyFor(nickname),
        ...nicknameFields(nickname),
        account_key: this.#accountKey,
        created: new Date(),
      }));
      await insertMissing(() => VehicleStore.insertMany(unrestricted(this.#service), documents, { ordered: false }));
    }
  }

  list(max: number): NamedVehicle[] {
    return [...this.#keys].slice(0, max).map(([name, key]) => ({ key, name, created: this.#new.has(name) }));
  }

  async #lookUp(names: readonly string[], creates: boolean): Promise<void> {
    const accessScope = accountAccessScope(this.#service, this.#accountKey);
    const keys = [...names, ...names.map((name) => this.#keyFor(name))];
    const [byKey, byNickname] = await Promise.all([
      VehicleStore.find(accessScope, { key: { $in: keys } }, 'key'),
      VehicleStore.find(accessScope, { nickname: { $in: [...names] } }, 'key nickname'),
    ]);
    const known = new Set(byKey.map(({ key }) => key));
    for (const name of names) {
      const key =
        [name, this.#keyFor(name)].find((candidate) => known.has(candidate)) ?? keyByNickname(name, byNickname);
      if (key !== undefined) this.#keys.set(name, key);
      else if (creates) this.#plan(name);
      else if (this.missing.size < MAX_MISSING) this.missing.add(name);
    }
  }

  #plan(name: string): void {
    const fault = nameFault(name);
    if (fault !== null) {
      throw new FileError(
        `a vehicle cannot be called ${JSON.stringify([...name].slice(0, 40).join(''))}: names ${fault}`,
      );
    }
    this.#keys.set(name, this.#keyFor(name));
    this.#new.add(name);
  }

  #keyFor(name: string): string {
    const hash = createHash('sha256').update(JSON.stringify([this.#accountKey, name]));
    return hash.digest().subarray(0, 16).toString('base64url');
  }
}

function keyByNickname(
  name: string,
  vehicles: readonly { readonly key: string; readonly nickname: string | null }[],
): string | undefined {
  const [first, second] = vehicles.filter(({ nickname }) => nickname === name);
  if (second) throw new FileError(`the account has several vehicles called ${name}; name them by their keys`);
  return first?.key;
}
