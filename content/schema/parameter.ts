/** The type of a parameter, as JSON Schema names it. */
export type ParameterType = 'integer' | 'string' | 'boolean' | 'array' | 'object';

/** Type of the members of a list. */
export interface ItemsDefinition {
  readonly type: 'integer' | 'string';
  readonly enum?: readonly string[];
}

/**
 * A parameter of the content interface, declared once: the route index, OPTIONS, the checks of a request and the arguments
 * of the GraphQL field come from it.
 */
export interface ParameterDefinition {
  /** If omitted, any value is accepted unchanged, and the index names no type. */
  readonly type?: ParameterType;
  readonly description?: string;
  readonly items?: ItemsDefinition;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly required?: boolean;

  // The following properties are checked but not published.

  /** Regular expression of a parameter in the path, as the index shows it; by default digits, or letters and hyphens. */
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: 'date-time' | 'email' | 'ip' | 'uri';
  /** Cleaning of a text: `text` is one line without tags, `key` the letters of a machine name. */
  readonly clean?: 'text' | 'key' | 'whole' | 'url';
  /** True if null is a value, which is neither checked nor converted. */
  readonly nullable?: boolean;
  /** The value that null stands for; without one, null counts as not given. */
  readonly ofNull?: unknown;
  /** Accepted but not published: the reference evaluates it all the same. */
  readonly unlisted?: boolean;
  /** Left to the resolver: neither checked nor converted. */
  readonly unchecked?: boolean;
  /** Checked before parameters without this: if one of these is invalid, errors of the others are not reported. */
  readonly checkedFirst?: boolean;
  /** A check instead of that of its type; returns the error message, or undefined. */
  readonly check?: (value: unknown, name: string) => string | undefined;
  /** A further check of a parameter that is `checkedFirst`, together with those of the other parameters. */
  readonly checkLater?: (value: unknown) => string | undefined;
  /** A conversion instead of that of its type. */
  readonly convert?: (value: unknown) => unknown;
}

/** Parameters by name, in the order in which errors name them. */
export type ParameterTable = Readonly<Record<string, ParameterDefinition>>;

/** The parameters of a table as a resolver gets them: checked, converted, defaults set. */
export type ParametersOf<T extends ParameterTable> = {
  readonly [K in keyof T]: T[K] extends { readonly default: unknown } | { readonly required: true }
    ? ValueOf<T[K]>
    : ValueOf<T[K]> | undefined;
};

/**
 * Declares the fields of a record that a request writes. By default they are checked first, and null clears
 * texts and numbers.
 */
export function written<const T extends ParameterTable>(fields: T): T {
  const entries = Object.entries<ParameterDefinition>(fields).map(([name, field]) => {
    return [name, { checkedFirst: true, ofNull: emptyOf(field), ...field }];
  });
  return Object.fromEntries(entries) as T;
}

/** The empty value of a field; undefined for a list, a choice, a date or an address, which null leaves as they are. */
function emptyOf({ type, enum: choices, format }: ParameterDefinition): unknown {
  if (choices || (format && format !== 'uri')) return undefined;
  return type === 'string' ? '' : type === 'integer' ? 0 : type === 'boolean' ? false : undefined;
}

/** Picks the arguments that a request contains. */
export function given<A extends object, K extends keyof A>(args: A, ...names: readonly K[]) {
  const entries = names.map((name) => [name, args[name]] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { readonly [N in K]?: Exclude<A[N], undefined> };
}

/** The value of one parameter. */
export type ValueOf<D extends ParameterDefinition> = D extends { readonly unchecked: true }
  ? unknown
  : D['type'] extends 'integer'
    ? number
    : D['type'] extends 'string'
      ? D extends { readonly enum: readonly (infer E)[] }
        ? E
        : string
      : D['type'] extends 'boolean'
        ? boolean
        : D extends { readonly items: { readonly type: infer I } }
          ? readonly (I extends 'integer' ? number : string)[]
          : unknown;
