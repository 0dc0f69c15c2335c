import { GraphQLObjectType, GraphQLSchema } from 'graphql';

import { completeInSlices } from '../tracking/scheduling/complete-in-slices.ts';

import { CONTENT_KINDS } from './schema/kinds/content-kinds.ts';
import { TERM_KINDS } from './schema/kinds/term-kinds.ts';

import type { RootFields } from './access/root-field.ts';
import { analyticsResolver } from './analytics/analytics-resolver.ts';
import { commentResolver } from './comments/comment-resolver.ts';
import { itemResolver } from './items/item-resolver.ts';
import { previewResolver } from './items/preview-resolver.ts';
import { revisionResolver } from './items/revision-resolver.ts';
import { mediaResolver } from './media/media-resolver.ts';
import { serve } from './media/served-kinds.ts';
import { oembedResolver } from './oembed/oembed-resolver.ts';
import { registryResolver } from './registry/registry-resolver.ts';
import { searchResolver } from './search/search-resolver.ts';
import { settingsResolver } from './settings/settings-resolver.ts';
import { termResolver } from './terms/term-resolver.ts';
import { applicationPasswordResolver } from './users/application-password-resolver.ts';
import { userResolver } from './users/user-resolver.ts';

/** The schema of the content interface, apart from the gateway's: section D of the specification, and what clients of today ask. */
export function contentSchema(): GraphQLSchema {
  const resolvers: readonly RootFields[] = [
    oembedResolver,
    analyticsResolver,
    registryResolver,
    mediaResolver,
    ...CONTENT_KINDS.map((kind) => itemResolver(serve(kind))),
    ...CONTENT_KINDS.filter(({ isUploaded }) => !isUploaded).map(revisionResolver),
    ...CONTENT_KINDS.filter(({ isUploaded }) => !isUploaded).map(previewResolver),
    ...TERM_KINDS.map(termResolver),
    searchResolver,
    settingsResolver,
    userResolver,
    applicationPasswordResolver,
    commentResolver,
  ];
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: Object.assign({}, ...resolvers.map(({ queries }) => queries)),
    }),
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: Object.assign({}, ...resolvers.map(({ mutations }) => mutations)),
    }),
  });
  return completeInSlices(schema);
}
