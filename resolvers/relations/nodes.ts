import type { GraphQLField, GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { accessOf, authorize } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** Types of objects that an id names, each with the root field that finds one by its key. */
const ROOT_FIELDS = {
  Account: 'account',
  ApiKey: 'apiKey',
  App: 'app',
  AppGrant: 'appGrant',
  BillingSubscription: 'subscription',
  Device: 'device',
  Event: 'event',
  ForwarderKey: 'forwarderKey',
  Group: 'group',
  IngestKey: 'deviceKey',
  Place: 'place',
  PrivacyZone: 'privacyZone',
  Rule: 'rule',
  Share: 'share',
  Tag: 'tag',
  Trip: 'trip',
  User: 'user',
  Vehicle: 'vehicle',
  Visit: 'visit',
  Webhook: 'webhook',
} as const;

type TypeName = keyof typeof ROOT_FIELDS;

/** An object with a key; that of an app is its client id. */
type Keyed = { readonly key: string } | { readonly client_id: string };

function keyOf(object: Keyed): string {
  return 'key' in object ? object.key : object.client_id;
}

const TYPES = Object.keys(ROOT_FIELDS) as TypeName[];

/** The interface `Node` and its types. Source: GraphQL Global Object Identification. */
export const NODE_TYPE_DEFS = `
  """An object with a global id."""
  interface Node {
    """Opaque global id of the object, for client caches."""
    id: ID!
  }
  ${TYPES.map(
    (type) => `extend type ${type} implements Node {
      """Opaque global id of the object, for client caches."""
      id: ID!
    }`,
  ).join('\n')}
  extend type Query {
    """The object with this id; null if it does not exist or the caller cannot see it."""
    node(
      """The \`id\` of the object."""
      id: ID!
    ): Node
  }
`;

const typeOfNode = new WeakMap<object, TypeName>();

/**
 * Makes the resolvers of {@link NODE_TYPE_DEFS}.
 *
 * @param queries the types whose root fields find the objects: `node` admits those whom one of them does
 */
export function nodeResolvers(queries: readonly GraphQLObjectType[]) {
  const fields = Object.values(ROOT_FIELDS).map((name) =>
    queries.map((query) => query.getFields()[name]).find((field) => field !== undefined),
  );
  const access = [...new Set(fields.flatMap((field) => (field && accessOf(field)) ?? []))];
  const ids = TYPES.map((type) => [type, { id: (object: Keyed) => writeNodeId({ type, key: keyOf(object) }) }]);
  return {
    Node: { __resolveType: (node: object) => typeOfNode.get(node) },
    Query: { node: { resolve: findNode, extensions: { access } } },
    ...Object.fromEntries(ids),
  };
}

/** Finds an object by the root field of its type, which is authorized as if it had been asked for. */
async function findNode(
  source: unknown,
  { id }: { readonly id: string },
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Keyed | null> {
  const { type, key } = readNodeId(id);
  const known = TYPES.find((name) => name === type);
  const field = known && info.schema.getQueryType()?.getFields()[ROOT_FIELDS[known]];
  if (!field) throw unknownId();
  authorize(context, field);
  const found = await orNull(() => field.resolve?.(source, argumentsOf(field, key), context, info));
  if (!found || keyOf(found) !== key) return null;
  typeOfNode.set(found, known);
  return found;
}

/** Finds an object; null in place of NOT_FOUND. */
async function orNull(find: () => unknown): Promise<Keyed | null> {
  try {
    return (await find()) as Keyed;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** The key as the argument of a root field; the account has none, since a caller sees no other. */
function argumentsOf({ args: [argument] }: GraphQLField<unknown, unknown>, key: string): Record<string, string> {
  return argument ? { [argument.name]: key } : {};
}

/** An object by its type and key. */
interface NodeId {
  readonly type: string;
  readonly key: string;
}

/** Writes an id. */
export function writeNodeId({ type, key }: NodeId): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/**
 * Reads an id that {@link writeNodeId} wrote.
 *
 * @throws ServiceError BAD_REQUEST for another text
 */
export function readNodeId(id: string): NodeId {
  const [, type, key] = /^(\w+):(.+)$/s.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  if (type === undefined || key === undefined || writeNodeId({ type, key }) !== id) {
    throw unknownId();
  }
  return { type, key };
}

/** Error for an id that this service did not give. */
function unknownId(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'id was not issued by this service');
}
