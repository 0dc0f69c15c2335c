import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { CONTENT_KINDS } from './schema/kinds/content-kinds.ts';
import { TERM_KINDS } from './schema/kinds/term-kinds.ts';

import { AnalyticsResolver } from './analytics/analytics-resolver.ts';
import { CommentResolver } from './comments/comment-resolver.ts';
import { itemCreator, itemResolver } from './items/item-resolver.ts';
import { revisionResolver } from './items/revision-resolver.ts';
import { MediaResolver } from './media/media-resolver.ts';
import { serve } from './media/served-kinds.ts';
import { OembedResolver } from './oembed/oembed-resolver.ts';
import { guardContent } from './access/permitted.ts';
import { RegistryResolver } from './registry/registry-resolver.ts';
import { SettingsResolver } from './settings/settings-resolver.ts';
import { termResolver } from './terms/term-resolver.ts';
import { UserResolver } from './users/user-resolver.ts';

/** The schema of the content interface, apart from the gateway's: section D of the specification, no field more. */
export async function contentSchema(): Promise<GraphQLSchema> {
  return guardContent(
    await buildSchema({
      resolvers: [
        OembedResolver,
        AnalyticsResolver,
        RegistryResolver,
        ...CONTENT_KINDS.map(serve).flatMap((served) => [
          itemResolver(served),
          ...(served.kind.isUploaded ? [MediaResolver] : [itemCreator(served), revisionResolver(served.kind)]),
        ]),
        ...TERM_KINDS.map((kind) => termResolver(kind)),
        SettingsResolver,
        UserResolver,
        CommentResolver,
      ],
      validate: false,
    }),
  );
}
