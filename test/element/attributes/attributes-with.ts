import { TripsMapAttributes } from '../../../element/attributes/trips-map-attributes.ts';

/** Attributes of an element: their declared defaults, but for `changes`. */
export function attributesWith(changes: Readonly<Record<string, unknown>> = {}): TripsMapAttributes {
  return Object.assign(new (class extends TripsMapAttributes {})(), changes);
}
