import type { ParameterDefinition, ParameterTable } from '../schema/parameter.ts';

import type { ContentPath } from './content-paths.ts';
import { describeRecord } from './describe-record.ts';

/** Description of a path, as the index and OPTIONS show it. */
export interface RouteDescription {
  readonly namespace: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly { readonly methods: readonly string[]; readonly args: unknown }[];
  readonly [member: string]: unknown;
}

/** The members of a path that its description needs. */
type DescribedPath = Pick<ContentPath, 'pattern' | 'namespace'> & {
  readonly endpoints: readonly { readonly methods: readonly string[]; readonly parameters: ParameterTable }[];
};

/** Describes a path: its methods, their parameters and, where it has no parameters itself, its `address`. */
export function describeRoute({ pattern, namespace, endpoints }: DescribedPath, address: string): RouteDescription {
  return {
    namespace,
    methods: endpoints.flatMap(({ methods }) => methods),
    endpoints: endpoints.map(({ methods, parameters }) => ({ methods, args: describeParameters(parameters) })),
    ...(pattern.includes('(?P<') ? {} : { _links: { self: address } }),
  };
}

/** Adds the schema of the record that a path is about, and the links that its schema names. */
export function describeFully(
  path: ContentPath,
  address: string,
  links: readonly unknown[] | undefined,
): RouteDescription {
  const { _links, ...route } = describeRoute(path, address);
  const record = path.endpoints.find(({ record }) => record)?.record;
  const schema = record && describeRecord(record);
  return {
    ...(route as RouteDescription),
    ...(schema ? { schema: links ? { ...schema, links } : schema } : {}),
    ...(_links === undefined ? {} : { _links }),
  };
}

function describeParameters(table: ParameterTable): unknown {
  const listed = Object.entries(table).filter(([, { unlisted }]) => !unlisted);
  const entries = listed.map(([name, definition]) => [name, describeParameter(definition)]);
  return entries.length > 0 ? Object.fromEntries(entries) : [];
}

function describeParameter(definition: ParameterDefinition): unknown {
  const { description, type, items } = definition;
  return {
    required: definition.required ?? false,
    ...(definition.default === undefined ? {} : { default: definition.default }),
    ...(definition.enum ? { enum: definition.enum } : {}),
    ...(description === undefined ? {} : { description }),
    ...(type === undefined ? {} : { type }),
    ...(items ? { items } : {}),
  };
}
