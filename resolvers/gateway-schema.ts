import { mergeSchemas } from '@graphql-tools/schema';
import { GraphQLSchema, isObjectType } from 'graphql';
import { buildSchema, type BuildSchemaOptions } from 'type-graphql';

import { guard } from '../auth/access.ts';

import { AccountResolver } from './account/account-resolver.ts';
import { ApiKeyResolver } from './account/api-key-resolver.ts';
import { AppGrantResolver } from './apps/app-grant-resolver.ts';
import { DeletedRecordResolver } from './account/deleted-record-resolver.ts';
import { AppRequestResolver } from './apps/app-request-resolver.ts';
import { AppResolver } from './apps/app-resolver.ts';
import { ChangeResolver, FollowedChangesResolver } from './changes/change-resolver.ts';
import { DeviceKeyResolver } from './devices/device-key-resolver.ts';
import { DeviceResolver } from './devices/device-resolver.ts';
import { ForwarderKeyResolver } from './devices/forwarder-key-resolver.ts';
import { EventResolver } from './events/event-resolver.ts';
import { GroupResolver } from './groups/group-resolver.ts';
import { MESSAGE_RESOLVERS } from './ingest/message-resolvers.ts';
import { DeviceReportingResolver } from './devices/device-reporting-resolver.ts';
import { IngestRejectionResolver } from './ingest/ingest-rejection-resolver.ts';
import { IngestResolver } from './ingest/ingest-resolver.ts';
import { VehicleMovementResolver } from './live/vehicle-movement-resolver.ts';
import { MemberResolver } from './users/member-resolver.ts';
import { addBackwardPages } from './relations/backward-pages.ts';
import { addFormerNames, nameAsRest } from './relations/former-names.ts';
import { NODE_TYPE_DEFS, nodeResolvers } from './relations/nodes.ts';
import { PairingResolver } from './vehicles/pairing-resolver.ts';
import { PlaceResolver } from './places/place-resolver.ts';
import { VisitResolver } from './places/visit-resolver.ts';
import { PrivacyZoneResolver } from './vehicles/privacy-zone-resolver.ts';
import { addRelations, noteRelated } from './relations/relations.ts';
import { completeInSlices } from '../tracking/scheduling/complete-in-slices.ts';
import { RuleResolver } from './rules/rule-resolver.ts';
import { SecurityEventResolver } from './users/security-event-resolver.ts';
import { SubscriptionResolver } from './account/subscription-resolver.ts';
import { TagResolver } from './account/tag-resolver.ts';
import { PublicKeyResolver, TripTokenResolver } from './tokens/trip-token-resolver.ts';
import { RecutResolver } from './trips/recut-resolver.ts';
import { StayResolver } from './trips/stay-resolver.ts';
import { TripExportResolver } from './trips/trip-export-resolver.ts';
import { ShareResolver } from './shares/share-resolver.ts';
import { LastTripResolver } from './trips/last-trip-resolver.ts';
import { TripImportResolver, TripUploadResolver } from './trips/trip-import-resolver.ts';
import { TripResolver } from './trips/trip-resolver.ts';
import { UserResolver } from './users/user-resolver.ts';
import { VehicleResolver } from './vehicles/vehicle-resolver.ts';
import { WebhookResolver } from './webhooks/webhook-resolver.ts';
import { once } from '../schema/once.ts';
import { FLAT, ROUTE } from '../schema/routes/route-directives.ts';
import { classMetadata } from '../schema/class-metadata.ts';

/** Resolvers of section A of the specification. */
const ACCOUNT_RESOLVERS = [
  AccountResolver,
  SubscriptionResolver,
  DeviceResolver,
  GroupResolver,
  MemberResolver,
  UserResolver,
] as const;

/** Resolvers beyond it: vehicles, trips, and the owner's keys, apps, zones and security log. */
const FURTHER_RESOLVERS = [
  VehicleResolver,
  LastTripResolver,
  TripResolver,
  StayResolver,
  RecutResolver,
  TripImportResolver,
  TagResolver,
  ApiKeyResolver,
  DeviceKeyResolver,
  PairingResolver,
  ForwarderKeyResolver,
  DeviceReportingResolver,
  IngestRejectionResolver,
  AppRequestResolver,
  AppResolver,
  AppGrantResolver,
  DeletedRecordResolver,
  PlaceResolver,
  VisitResolver,
  EventResolver,
  RuleResolver,
  ChangeResolver,
  PrivacyZoneResolver,
  SecurityEventResolver,
  ShareResolver,
  WebhookResolver,
] as const;

/** Subscriptions, which have no path under `{base_url}`. */
const LIVE_RESOLVERS = [VehicleMovementResolver, FollowedChangesResolver] as const;

/** The gateway's schema, built once. It is described, so that it is printed with its root types. */
export const gatewaySchema = once(buildGateway);

/**
 * Everything that may have a path under `{base_url}`: the gateway, ingestion, whose keys open nothing there, and files. It is
 * built once.
 */
export const restSchema = once(async () =>
  nameAsRest(
    await schemaOf([
      ...ACCOUNT_RESOLVERS,
      ...FURTHER_RESOLVERS,
      IngestResolver,
      ...MESSAGE_RESOLVERS,
      TripExportResolver,
      TripUploadResolver,
    ]),
  ),
);

/** The special-purpose token endpoint and its public keys; not in the gateway, since its secrets are not for pages. */
export function tokenSchema(): Promise<GraphQLSchema> {
  return schemaOf([TripTokenResolver, PublicKeyResolver]);
}

async function buildGateway(): Promise<GraphQLSchema> {
  const schemas = [await schemaOf(ACCOUNT_RESOLVERS), await schemaOf([...FURTHER_RESOLVERS, ...LIVE_RESOLVERS])];
  const queries = schemas.flatMap((schema) => schema.getQueryType() ?? []);
  const merged = mergeSchemas({ schemas, typeDefs: NODE_TYPE_DEFS, resolvers: nodeResolvers(queries) });
  const description = 'Vehicle telemetry: an account, its devices and vehicles, and their trips.';
  const directives = [...merged.getDirectives(), ROUTE, FLAT];
  const schema = addBackwardPages(
    withoutRestOnly(new GraphQLSchema({ ...merged.toConfig(), description, directives })),
  );
  for (const [name, text] of Object.entries(ROOT_TYPES))
    Object.assign(schema.getType(name) ?? {}, { description: text });
  return addFormerNames(addRelations(schema));
}

/** Descriptions of the root types. */
const ROOT_TYPES = {
  Query: 'Reads records. A field that finds a record is null, with an error, if the caller cannot see it.',
  Mutation: 'Changes records. The changes of an operation are made one after another, in its order.',
  Subscription: 'Follows what happens, as a stream of events.',
};

/** Takes fields out of a schema that only REST reads. */
function withoutRestOnly(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const fields = type.getFields();
    for (const { name, extensions } of Object.values(fields)) if (extensions.restOnly) delete fields[name];
  }
  return schema;
}

/** In the place of topics, which type-graphql demands: each subscription says itself what it sends. */
const NO_TOPICS: NonNullable<BuildSchemaOptions['pubSub']> = {
  publish: () => undefined,
  subscribe: (topic) => {
    throw new TypeError(`No publisher of ${topic}: give the subscription a subscribe`);
  },
};

/** Makes a schema without type-graphql's check of it, an introspection that would cost each start and each command more than all else here; a test checks. */
async function schemaOf(resolvers: BuildSchemaOptions['resolvers']): Promise<GraphQLSchema> {
  const schema = await buildSchema({ resolvers, validate: false, pubSub: NO_TOPICS, skipCheck: true });
  return completeInSlices(noteRelated(guard(callDirectly(schema, resolvers))));
}

/**
 * Lets the fields of a schema call their resolvers with what graphql-js has read. type-graphql wraps arguments in a promise, and
 * prepares each call anew, which costs a long list more than its records.
 *
 * @param resolvers the classes of which the schema was built
 */
function callDirectly(schema: GraphQLSchema, resolvers: BuildSchemaOptions['resolvers']): GraphQLSchema {
  const { fieldResolvers, objectTypes } = classMetadata();
  for (const { target, methodName, schemaName, params, getObjectType } of fieldResolvers) {
    const type = schema.getType(objectTypes.find((one) => one.target === getObjectType())?.name ?? '');
    const field = isObjectType(type) ? type.getFields()[schemaName] : undefined;
    if (!field || !resolvers.includes(target)) continue;
    const resolver = new target();
    const sorted = params.toSorted((a, b) => a.index - b.index);
    field.resolve = (root, args, context, info) => {
      const values = { root, args, context, info };
      return resolver[methodName]?.(
        ...sorted.map((param) => (param.kind === 'arg' ? args[param.name] : values[param.kind])),
      );
    };
  }
  return schema;
}
