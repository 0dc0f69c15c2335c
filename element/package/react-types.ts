import type { ElementReference } from './element-reference.ts';

/** Returns the types of `<service-trips-map>` in JSX (React 19): attributes, properties, and `on` with the name of each event, as the types of an entry. */
export function reactTypes({ attributes, members }: ElementReference, entry: string): string {
  const attributeLines = attributes.map(
    ({ name, type, description }) => `  /** ${description} */\n  '${name}'?: ${type} | undefined;`,
  );
  const propertyLines = members
    .filter(({ readonly }) => !readonly)
    .map(({ name, description }) => `  /** ${description} */\n  ${name}?: ServiceTripsMap['${name}'] | undefined;`);
  return `import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { ServiceTripsMap, TripsMapEvents } from '${entry}';

type Listeners = {
  [Name in keyof TripsMapEvents as \`on\${Name}\`]?: ((event: CustomEvent<TripsMapEvents[Name]>) => void) | undefined;
};

/** Props of \`<service-trips-map>\` in JSX, in addition to those of every element. */
export interface ServiceTripsMapAttributes extends Listeners {
${[...attributeLines, ...propertyLines].join('\n')}
  /** React sets \`class\` on custom elements as it is. */
  class?: string | undefined;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'service-trips-map': Omit<
        DetailedHTMLProps<HTMLAttributes<ServiceTripsMap>, ServiceTripsMap>,
        keyof ServiceTripsMapAttributes
      > &
        ServiceTripsMapAttributes;
    }
  }
}
`;
}
