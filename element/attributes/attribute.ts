import type { PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';

/** Work that a changed attribute makes necessary: loading the trips again, or configuring the map. */
type Effect = 'trips' | 'map';

/** Options of one attribute. */
interface AttributeOptions {
  /** Text unless set. */
  readonly type?: typeof Boolean | typeof Number;
  readonly affects?: Effect;
}

const EFFECTS = new Map<PropertyKey, Effect>();

/** Converts a boolean attribute: on when present, unless it says `false`, which frameworks and templates write for "off". */
export const booleanAttribute = {
  fromAttribute: (value: string | null): boolean => value !== null && value.trim().toLowerCase() !== 'false',
  toAttribute: (value: boolean): string | null => (value ? '' : null),
};

/** Converts an attribute with a number; an empty one counts as absent. */
export const numberAttribute = {
  fromAttribute: (value: string | null): number | undefined => (value?.trim() ? Number(value) : undefined),
  toAttribute: (value: number): string => String(value),
};

const CONVERTERS = new Map<AttributeOptions['type'], object>([
  [Boolean, booleanAttribute],
  [Number, numberAttribute],
]);

/** Declares a property and the attribute that reflects it; types, manifest and editor data are read from this. */
export function attribute({ type, affects }: AttributeOptions = {}) {
  return (prototype: object, name: string): void => {
    if (affects) EFFECTS.set(name, affects);
    const converter = CONVERTERS.get(type);
    const options = { attribute: attributeName(name), reflect: true, useDefault: true };
    property({ ...options, ...(converter ? { converter } : {}) })(prototype, name);
  };
}

/** Name of the attribute that reflects a property: `vehicle-key` for `vehicleKey`. */
export function attributeName(propertyName: string): string {
  return propertyName.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns true if, of the properties with this effect, only this one has changed. */
export function changesOnly(changed: PropertyValues, effect: Effect, name: PropertyKey): boolean {
  return (
    [...changed.keys()].filter((key) => EFFECTS.get(key) === effect).every((key) => key === name) && changed.has(name)
  );
}

/** Returns true if one of the changed properties has this effect. */
export function hasEffect(changed: PropertyValues, effect: Effect): boolean {
  return [...changed.keys()].some((name) => EFFECTS.get(name) === effect);
}
