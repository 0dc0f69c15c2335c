import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { PageRevision, PostRevision } from './schema/records/revision.ts';

import { AnalyticsResolver } from './analytics/analytics-resolver.ts';
import { CommentResolver } from './comments/comment-resolver.ts';
import { itemCreator, itemResolver } from './items/item-resolver.ts';
import { revisionResolver } from './items/revision-resolver.ts';
import { PAGE, POST } from './items/post-kinds.ts';
import { ATTACHMENT } from './media/attachment-kind.ts';
import { MediaResolver } from './media/media-resolver.ts';
import { OembedResolver } from './oembed/oembed-resolver.ts';
import { guardContent } from './access/permitted.ts';
import { RegistryResolver } from './registry/registry-resolver.ts';
import { SettingsResolver } from './settings/settings-resolver.ts';
import { CATEGORY, TAG } from './terms/term-kinds.ts';
import { termResolver } from './terms/term-resolver.ts';
import { UserResolver } from './users/user-resolver.ts';

/**
 * The schema of the content interface: section D of the specification, no field more. It belongs to the developer
 * website, and is no part of the gateway's.
 */
export async function contentSchema(): Promise<GraphQLSchema> {
  return guardContent(
    await buildSchema({
      resolvers: [
        OembedResolver,
        AnalyticsResolver,
        itemResolver(POST),
        itemCreator(POST),
        revisionResolver(POST, PostRevision),
        itemResolver(PAGE),
        itemCreator(PAGE),
        revisionResolver(PAGE, PageRevision),
        RegistryResolver,
        itemResolver(ATTACHMENT),
        MediaResolver,
        termResolver(CATEGORY),
        termResolver(TAG),
        SettingsResolver,
        UserResolver,
        CommentResolver,
      ],
      validate: false,
    }),
  );
}
