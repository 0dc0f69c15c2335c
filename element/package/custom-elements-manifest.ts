import type { ElementReference } from './element-reference.ts';

const MODULE = 'service-web-components.js';

/** Converts the reference to `custom-elements.json` (Custom Elements Manifest, schema 2.1.0), which tools and the docs page read. */
export function customElementsManifest(reference: ElementReference, readme: string): object {
  const { summary, attributes, members, events, slots, parts, states, cssProperties } = reference;
  const declaration = {
    kind: 'class',
    customElement: true,
    name: 'ServiceTripsMap',
    tagName: 'service-trips-map',
    superclass: { name: 'LitElement', package: 'lit' },
    summary,
    attributes: attributes.map(({ name, property, type, fallback, description }) => ({
      name,
      fieldName: property,
      type: { text: type },
      ...(fallback === null ? {} : { default: fallback }),
      description,
    })),
    members: [
      ...attributes.map(({ name, property, type, fallback, description }) => ({
        kind: 'field',
        name: property,
        attribute: name,
        reflects: true,
        type: { text: fallback === null ? `${type} | null` : type },
        default: fallback === null ? 'null' : type === 'number' || type === 'boolean' ? fallback : `'${fallback}'`,
        description,
      })),
      ...members.map(({ kind, name, type, readonly, description }) =>
        kind === 'method'
          ? { kind, name, return: { type: { text: type } }, description }
          : { kind: 'field', name, type: { text: type }, ...(readonly ? { readonly } : {}), description },
      ),
    ],
    events: events.map(({ name, detail, description }) => {
      return { name, type: { text: `CustomEvent<${detail}>` }, description };
    }),
    slots,
    cssParts: parts,
    cssStates: states,
    cssProperties,
  };
  const exported = { name: 'ServiceTripsMap', module: MODULE };
  const exports = [
    { kind: 'js', name: 'ServiceTripsMap', declaration: exported },
    { kind: 'custom-element-definition', name: 'service-trips-map', declaration: exported },
  ];
  const module = { kind: 'javascript-module', path: MODULE, declarations: [declaration], exports };
  return { schemaVersion: '2.1.0', readme, modules: [module] };
}
