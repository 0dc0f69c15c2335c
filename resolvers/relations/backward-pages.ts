import {
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  GraphQLInt,
  type GraphQLSchema,
  GraphQLString,
} from 'graphql';

import type { RequestContext } from '../../auth/caller.ts';
import { namingCursor } from '../../schema/page.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** The list that is read in one direction: a log is followed, and its cursors are places up to which a reader knows it. */
export const ONE_WAY = 'changes';

type Args = Readonly<Record<string, unknown>>;

const UNSET = { defaultValue: undefined, deprecationReason: undefined, extensions: {}, astNode: undefined };
const BACKWARD: readonly GraphQLArgument[] = [
  {
    ...UNSET,
    name: 'last',
    type: GraphQLInt,
    description: 'Size of a page at the end of the list, or before `before`, instead of `first`.',
  },
  { ...UNSET, name: 'before', type: GraphQLString, description: 'Cursor of the object before which the page ends.' },
];

/**
 * Gives the lists of a schema the arguments of pages: an optional `first`, and `last` and `before`, but to {@link ONE_WAY}, whose
 * resolver would get a negative `first`.
 */
export function addBackwardPages(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    if (/Connection!?$/.test(String(field.type))) addTo(field, field.name === ONE_WAY ? [] : BACKWARD);
  }
  return schema;
}

function addTo(field: GraphQLField<unknown, RequestContext>, added: readonly GraphQLArgument[]): void {
  const { args, resolve } = field;
  const size = args.find(({ name }) => name === 'first')?.defaultValue;
  const optional = args.map((argument) =>
    argument.name === 'first' ? { ...argument, type: getNullableType(argument.type), astNode: undefined } : argument,
  );
  Object.assign(field, { args: [...optional, ...added] });
  field.resolve = (source, given: Args, context, info) => {
    const page: unknown = resolve?.(source, forward(given, size), context, info);
    if (given.last == null || !(page instanceof Promise)) return page;
    return page.catch((error: unknown) => {
      throw namingCursor(error, 'before');
    });
  };
}

/** Arguments of a page as the resolver takes them. @throws ServiceError BAD_REQUEST naming an argument */
function forward({ last, before, ...args }: Args, size: unknown): Args {
  if (last == null) {
    if (before != null) throw new ServiceError('BAD_REQUEST', 'before requires last');
    // A negative size is not for clients.
    return { ...args, first: Math.max(0, Number(args.first ?? size)) };
  }
  if (args.after != null) throw new ServiceError('BAD_REQUEST', 'last cannot be combined with after');
  if (Number(last) < 1) throw new ServiceError('BAD_REQUEST', 'last must be 1 to 1000');
  return { ...args, first: -Number(last), after: before };
}
