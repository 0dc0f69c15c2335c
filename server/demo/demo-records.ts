import { hashSecret } from '../../auth/secrets.ts';

import type { DemoKeys } from './demo-keys.ts';
import { DEMO_FLEET, DEMO_GROUPS } from './fleet.ts';

/** A group of the demonstration as it is stored. */
export interface DemoGroupRecord {
  readonly key: string;
  readonly name: string;
  readonly parent_key: string | null;
  readonly group_path: readonly string[];
  readonly tree_depth: number;
}

/** The groups with their places in the tree, those above before those below. */
export function demoGroups({ group_keys }: DemoKeys): DemoGroupRecord[] {
  const records = new Map<string, DemoGroupRecord>();
  for (const { name, parent } of DEMO_GROUPS) {
    const key = group_keys[name];
    const above = parent === null ? null : records.get(parent);
    if (key === undefined || above === undefined) throw new TypeError(`The group ${name} has no key, or none above it`);
    records.set(name, {
      key,
      name,
      parent_key: above?.key ?? null,
      group_path: [...(above?.group_path ?? []), key],
      tree_depth: (above?.tree_depth ?? 1) + 1,
    });
  }
  return [...records.values()];
}

/** The vehicles, each with the device in it, and both in the same group. */
export function demoVehicles(keys: DemoKeys) {
  const groups = new Map(demoGroups(keys).map((group) => [group.name, group]));
  return DEMO_FLEET.map((car, at) => {
    const key = keys.vehicles[at]?.key;
    const group = groups.get(car.group);
    if (key === undefined || !group) throw new TypeError(`The vehicle ${car.nickname} has no key, or no group`);
    const membership = { group_keys: [group.key], group_path: [...group.group_path] };
    return { car, key, device_key: deviceKeyOf(key), membership };
  });
}

/** A device's key follows from its vehicle's, and tells it to nobody. */
function deviceKeyOf(vehicleKey: string): string {
  return hashSecret(`device of ${vehicleKey}`).slice(0, 22);
}
