/** A parameter as the index of the interface describes it. */
export interface DescribedParameter {
  readonly required?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly items?: { readonly type?: string; readonly enum?: readonly string[] };
}

/** Methods of a route with the same meaning, with their parameters by name. */
export interface Endpoint {
  /** Path below `/wp-json`, with placeholders such as `(?P<id>[\d]+)`. */
  readonly route: string;
  readonly methods: readonly [string, ...string[]];
  readonly parameters: Readonly<Record<string, DescribedParameter>>;
}

/** The `GET /wp-json/` of a site, as far as endpoints follow from it. */
export interface SiteIndex {
  readonly routes: Readonly<
    Record<
      string,
      {
        readonly endpoints: readonly {
          readonly methods: readonly string[];
          readonly args: Readonly<Record<string, DescribedParameter>>;
        }[];
      }
    >
  >;
}

/** Every endpoint of an index that another one has as well, in its order. */
export function endpointsOf({ routes }: SiteIndex, other: SiteIndex): Endpoint[] {
  return Object.entries(routes)
    .filter(([route]) => route in other.routes)
    .flatMap(([route, { endpoints }]) =>
      endpoints.flatMap(({ methods: [first, ...others], args }) =>
        first === undefined ? [] : [{ route, methods: [first, ...others] as const, parameters: args }],
      ),
    );
}

/** A placeholder of a route: its name. */
export const PLACEHOLDER = /\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g;
