import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';

/** Arguments of {@link ROUTE} in a document. */
export interface RouteArguments {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly status: number;
  readonly answer?: string | null;
  readonly body?: string | null;
}

const RouteMethod = new GraphQLEnumType({
  name: 'RouteMethod',
  description: 'Method of a path.',
  values: {
    GET: { description: 'Reads; the default of queries, which have no other.' },
    POST: { description: 'Changes; the default of mutations.' },
    PUT: { description: 'Changes, with the variables in the body.' },
    PATCH: { description: 'Changes, with the variables in the body.' },
    DELETE: { description: 'Changes, with the variables in path and query.' },
  },
});

/** Serves an operation as a path. Declared in the schema, so that editors complete it and check its arguments. */
export const ROUTE = new GraphQLDirective({
  name: 'route',
  description:
    'Serves the operation as a path below `{base_url}`, if its document is in the folder `TRUSTED_DOCUMENTS`. Otherwise it has no effect.',
  locations: [DirectiveLocation.QUERY, DirectiveLocation.MUTATION],
  args: {
    path: {
      type: new GraphQLNonNull(GraphQLString),
      description:
        'Path with variables in braces: `/fleet/{group_key}/status`. Other variables are in the query, or members of the body.',
    },
    method: { type: RouteMethod, description: 'Method; `GET` of a query and `POST` of a mutation unless given.' },
    status: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 200, description: 'Status of success.' },
    answer: {
      type: GraphQLString,
      description:
        'The member of the result that is the body, such as `vehicles.nodes`. By default, that of the only root field, or the whole result of several.',
    },
    body: {
      type: GraphQLString,
      description: 'The variable that is the whole body. By default, variables are members of the body.',
    },
  },
});

/** Puts the members of an object into the object around it. */
export const FLAT = new GraphQLDirective({
  name: 'flat',
  description:
    'In the response of a `@route`, puts the members of an object into the object around it; if it is null, each of them is. Otherwise it has no effect.',
  locations: [DirectiveLocation.FIELD],
});
