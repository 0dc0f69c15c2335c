import { attributeName } from '../attributes/attribute.ts';

/** Name and description of a slot, part, state, custom property or the like. */
interface Described {
  readonly name: string;
  readonly description: string;
}

/** A property or method that no attribute reflects. */
interface MemberReference extends Described {
  /** TypeScript type; of a method, the type that it returns. */
  readonly type: string;
  readonly kind: 'property' | 'method';
  readonly readonly: boolean;
}

/** An attribute and the property that it reflects. */
interface AttributeReference extends Described {
  readonly property: string;
  /** TypeScript type, without null. */
  readonly type: string;
  /** Default value as the text of an attribute; null if there is none. */
  readonly fallback: string | null;
}

/** The public interface of `<service-trips-map>`. */
export interface ElementReference {
  readonly summary: string;
  readonly attributes: readonly AttributeReference[];
  readonly members: readonly MemberReference[];
  /** Events with the type of `detail`. */
  readonly events: readonly (Described & { readonly detail: string })[];
  readonly slots: readonly Described[];
  readonly parts: readonly Described[];
  readonly states: readonly Described[];
  readonly cssProperties: readonly Described[];
}

const ATTRIBUTE = /\/\*\* (.+) \*\/\s+@attribute\([^)]*\)\s+(\w+)(?:: ([^=]+?))? = (.+);/g;
const PROPERTY = /\/\*\* (.+) \*\/\s+@property\([^)]*\)\s+(\w+): (.+?) = /g;
const GETTER = /^ {2}\/\*\* (.+) \*\/\n {2}get (\w+)\(\): (.+) \{$/gm;
const METHOD = /^ {2}\/\*\* (.+) \*\/\n {2}(\w+)\(\): (\w+) \{$/gm;
const CONSTANT = /^export const (\w+) = (.+);$/gm;

/**
 * Reads the reference from the sources, where each thing is declared and described once.
 * @param attributes text of `trips-map-attributes.ts`: decorated properties, each below its description
 * @param element text of `service-trips-map.ts`: the tags of its class, its getters and its methods
 */
export function readReference(attributes: string, element: string): ElementReference {
  const constants = new Map([...attributes.matchAll(CONSTANT)].map(([, name, value]) => [name, value]));
  const members = (text: string, pattern: RegExp, kind: MemberReference['kind'], readonly: boolean) =>
    [...text.matchAll(pattern)].map(([, doc = '', name = '', type = '']) => {
      return { kind, name, type, readonly, description: sentence(doc) };
    });
  const tags = (tag: string): Described[] =>
    tagsOf(element, tag).map((text) => {
      const [, name = '', description = ''] = /^(\S+) - (.+)$/.exec(text) ?? [];
      return { name, description: sentence(description) };
    });
  return {
    summary: sentence(/\/\*\*\n \* (.+)\n/.exec(element)?.[1] ?? ''),
    attributes: [...attributes.matchAll(ATTRIBUTE)].map(
      ([, doc = '', property = '', type = 'boolean', value = '']) => ({
        name: attributeName(property),
        property,
        type: type.replace(' | null', ''),
        fallback: value === 'null' ? null : (constants.get(value) ?? value).replace(/^'(.*)'$/, '$1'),
        description: sentence(doc),
      }),
    ),
    members: [
      ...members(attributes, PROPERTY, 'property', false),
      ...members(element, GETTER, 'property', true),
      ...members(element, METHOD, 'method', true),
    ],
    events: tagsOf(element, 'event').map((text) => {
      const [, detail = '', name = '', description = ''] = /^\{CustomEvent<(.+)>\} (\S+) - (.+)$/.exec(text) ?? [];
      return { name, detail, description: sentence(description) };
    }),
    slots: tags('slot'),
    parts: tags('csspart'),
    states: tags('cssstate'),
    cssProperties: tags('cssproperty'),
  };
}

/** Returns the values of a type that lists them, such as `'km' | 'mi'`; none for any other type. */
export function valuesOf(type: string): string[] {
  return [...type.matchAll(/'([^']*)'/g)].map(([, value]) => value ?? '');
}

function tagsOf(text: string, tag: string): string[] {
  return [...text.matchAll(new RegExp(`^ \\* @${tag} (.+)$`, 'gm'))].map(([, rest]) => rest ?? '');
}

/** Makes a complete sentence of a description, without its references to the specification. */
function sentence(text: string): string {
  const plain = text.replace(/ \(specification, [^)]+\)/, '');
  const whole = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
