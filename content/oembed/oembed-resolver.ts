import { Ctx, Query, Resolver } from 'type-graphql';

import { may } from '../access/capabilities.ts';
import { ContentError } from '../schema/content-error.ts';
import { EMBED, PROXY } from '../schema/parameters/oembed-parameters.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { Takes } from '../schema/takes.ts';
import { Untyped } from '../../schema/untyped.ts';

import { type ContentContext, rejectionStatus } from '../access/content-context.ts';
import { type OwnEmbed, ownEmbed } from './own-embed.ts';
import { type RemoteEmbed, remoteEmbed } from './remote-embed.ts';
import { anyone, type PermissionCheck, Permitted } from '../access/permitted.ts';

const writers: PermissionCheck<unknown> = (_args, context) => {
  if (may(context.caller, 'edit_posts')) return;
  const message = 'Sorry, you are not allowed to make proxied oEmbed requests.';
  throw new ContentError('rest_forbidden', message, rejectionStatus(context));
};

/** `/oembed/1.0`: how pages of this website are embedded elsewhere, and pages of other sites here. */
@Resolver()
export class OembedResolver {
  @Permitted(anyone)
  @Query(() => Untyped, { description: 'How a page of this website is embedded.' })
  async embed(
    @Takes(EMBED) { url, maxwidth }: { readonly url: string; readonly maxwidth: number },
    @Ctx() context: ContentContext,
  ): Promise<OwnEmbed> {
    return found(await ownEmbed(url, maxwidth, context));
  }

  @Permitted(writers)
  @Query(() => Untyped, { description: 'How a page of this or another site is embedded.' })
  async proxyEmbed(
    @Takes(PROXY) { url, maxwidth, maxheight, discover }: ParametersOf<typeof PROXY>,
    @Ctx() context: ContentContext,
  ): Promise<OwnEmbed | RemoteEmbed> {
    const own = await ownEmbed(url, maxwidth, context);
    return own ?? found(await remoteEmbed({ url, maxwidth, maxheight: maxheight ?? null, discover }));
  }
}

function found<T>(embed: T | null): T {
  if (embed === null) throw new ContentError('oembed_invalid_url', 'Not Found', 404);
  return embed;
}
