import { DEFAULT_CENTER, DEFAULT_ZOOM } from '../canvas/map-settings.ts';

/** A thing of the element that has a name and a meaning: a slot, a part, a custom property. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

/** An event, with the type of its `detail`. */
export interface EventReference extends Described {
  readonly detail: string;
}

/** A property or a method. */
export interface MemberReference extends Described {
  /** As TypeScript writes it. */
  readonly type: string;
  readonly kind: 'property' | 'method';
  readonly readonly: boolean;
}

/** An attribute and the property that says the same. */
export interface AttributeReference extends Described {
  readonly property: string;
  /** As TypeScript writes it, without null. */
  readonly type: string;
  /** As an attribute would hold it; null for none. */
  readonly fallback: string | null;
}

/** All that an embedder can use of `<service-trips-map>`. */
export interface ElementReference {
  readonly summary: string;
  readonly attributes: readonly AttributeReference[];
  /** What is no attribute. */
  readonly members: readonly MemberReference[];
  readonly events: readonly EventReference[];
  readonly slots: readonly Described[];
  readonly parts: readonly Described[];
  readonly cssProperties: readonly Described[];
}

const CONSTANTS: Readonly<Record<string, string>> = { DEFAULT_CENTER, DEFAULT_ZOOM: String(DEFAULT_ZOOM) };

/**
 * Reads the reference from the sources, where each thing is defined and described once.
 *
 * @param attributes text of `trips-map-attributes.ts`: decorated properties, each below its description
 * @param element text of `service-trips-map.ts`: the tags of its class, its getters and its methods
 */
export function readReference(attributes: string, element: string): ElementReference {
  const declared = [...attributes.matchAll(DECLARATION)].map(({ groups }) => ({ ...EMPTY, ...groups }));
  const described = (tag: string): Described[] =>
    tagsOf(element, tag).map((text) => {
      const [, name = '', description = ''] = /^(\S+) - (.+)$/.exec(text) ?? [];
      return { name, description: sentence(description) };
    });
  return {
    summary: sentence(/\/\*\*\n \* (.+)\n/.exec(element)?.[1] ?? ''),
    attributes: declared.filter(({ options }) => !options.includes('attribute: false')).map(attributeOf),
    members: [
      ...declared
        .filter(({ options }) => options.includes('attribute: false'))
        .map(({ property, doc, type }): MemberReference => member('property', property, doc, type, false)),
      ...[...element.matchAll(GETTER)].map(([, doc, name, type]) => member('property', name, doc, type, true)),
      ...[...element.matchAll(METHOD)].map(([, doc, name, type]) => member('method', name, doc, `() => ${type}`, true)),
    ],
    events: tagsOf(element, 'event').map((text) => {
      const [, detail = '', name = '', description = ''] = /^\{CustomEvent<(.+)>\} (\S+) - (.+)$/.exec(text) ?? [];
      return { name, detail, description: sentence(description) };
    }),
    slots: described('slot'),
    parts: described('csspart'),
    cssProperties: described('cssproperty'),
  };
}

/** What an attribute's value may be, of a type that lists it; nothing of any other. */
export function valuesOf(type: string): string[] {
  return [...type.matchAll(/'([^']*)'/g)].map(([, value]) => value ?? '');
}

const EMPTY = { doc: '', options: '', property: '', type: '', value: '' };
const DECLARATION =
  /\/\*\* (?<doc>.+) \*\/\s+@property\((?<options>\{.+?\}|REFLECTED)\) (?<property>\w+)(?:: (?<type>[^=]+?))? = (?<value>.+);/g;
const GETTER = /^ {2}\/\*\* (.+) \*\/\n {2}get (\w+)\(\): (.+) \{$/gm;
const METHOD = /^ {2}\/\*\* (.+) \*\/\n {2}(\w+)\(\): (\w+) \{$/gm;

function attributeOf({ doc, options, property, type, value }: typeof EMPTY): AttributeReference {
  const written = value.replace(/^'(.*)'$/, '$1');
  return {
    name: /attribute: '([^']+)'/.exec(options)?.[1] ?? property,
    property,
    type: (type || 'boolean').replace(' | null', ''),
    fallback: value === 'null' ? null : (CONSTANTS[value] ?? written),
    description: sentence(doc),
  };
}

function member(kind: MemberReference['kind'], name = '', doc = '', type = '', readonly = false): MemberReference {
  return { kind, name, type, readonly, description: sentence(doc) };
}

function tagsOf(text: string, tag: string): string[] {
  return [...text.matchAll(new RegExp(`^ \\* @${tag} (.+)$`, 'gm'))].map(([, rest]) => rest ?? '');
}

/** A description as a sentence of its own, for readers who do not know the specification. */
function sentence(text: string): string {
  const plain = text.replace(/ \(specification, [^)]+\)/, '');
  const whole = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
