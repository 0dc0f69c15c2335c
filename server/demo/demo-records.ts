import { hashSecret } from '../../auth/secrets/secrets.ts';

import type { DemoKeys } from './demo-keys.ts';
import { DEMO_FLEET, DEMO_GROUPS } from './fleet.ts';

/** The groups with their places in the tree, those above before those below. */
export function demoGroups({ group_keys }: DemoKeys) {
  return DEMO_GROUPS.map(({ name, above }) => {
    const group_path = [...above, name].map((one) => group_keys[one] ?? '');
    const [key = '', parent_key = null] = group_path.toReversed();
    if (group_path.includes('')) throw new TypeError(`The group ${name} has no key, or none above it`);
    return { key, name, parent_key, group_path, tree_depth: group_path.length + 1 };
  });
}

/** The vehicles, each with the device in it, and both in the same group. */
export function demoVehicles(keys: DemoKeys) {
  const groups = new Map(demoGroups(keys).map((group) => [group.name, group]));
  return DEMO_FLEET.map((car, at) => {
    const key = keys.vehicles[at]?.key;
    const group = groups.get(car.group);
    if (key === undefined || !group) throw new TypeError(`The vehicle ${car.nickname} has no key, or no group`);
    // The device's key follows from its vehicle's without revealing it.
    const device_key = hashSecret(`device of ${key}`).slice(0, 22);
    return { car, key, device_key, membership: { group_keys: [group.key], group_path: group.group_path } };
  });
}
