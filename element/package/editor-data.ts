import { type ElementReference, valuesOf } from './element-reference.ts';

/** Returns VS Code's custom data for HTML (version 1.1), to complete the tag, its attributes and their values. */
export function htmlData({ summary, attributes }: ElementReference): object {
  const tag = {
    name: 'service-trips-map',
    description: summary,
    attributes: attributes.map(({ name, type, description }) => ({
      name,
      description,
      ...(type === 'boolean' ? { valueSet: 'v' } : {}),
      ...(valuesOf(type).length > 0 ? { values: valuesOf(type).map((value) => ({ name: value })) } : {}),
    })),
  };
  return { version: 1.1, tags: [tag] };
}

/** Returns VS Code's custom data for CSS (version 1.1), to complete custom properties and parts. */
export function cssData({ parts, cssProperties }: ElementReference): object {
  return {
    version: 1.1,
    properties: cssProperties,
    pseudoElements: parts.map(({ name, description }) => ({ name: `::part(${name})`, description })),
  };
}
