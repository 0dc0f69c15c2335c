import { may } from '../access/capabilities.ts';
import { ContentError } from '../schema/content-error.ts';
import { EMBED, PROXY } from '../schema/parameters/oembed-parameters.ts';
import { Untyped } from '../../schema/untyped.ts';

import { ownEmbed } from './own-embed.ts';
import { remoteEmbed } from './remote-embed.ts';
import { rootField, type RootFields, anyone, type PermissionCheck } from '../access/root-field.ts';
import { reject } from '../access/content-context.ts';

const writers: PermissionCheck = (_args, context) => {
  if (may(context.caller, 'edit_posts')) return;
  reject('rest_forbidden', 'Sorry, you are not allowed to make proxied oEmbed requests.', context);
};

/** `/oembed/1.0`: how pages of this website are embedded elsewhere, and pages of other sites here. */
export const oembedResolver: RootFields = {
  queries: {
    embed: rootField(
      { returns: Untyped, description: 'How a page of this website is embedded.', takes: EMBED, permitted: anyone },
      async ({ url, maxwidth }: { readonly url: string; readonly maxwidth: number }, context) =>
        found(await ownEmbed(url, maxwidth, context)),
    ),
    proxyEmbed: rootField(
      {
        returns: Untyped,
        description: 'How a page of this or another site is embedded.',
        takes: PROXY,
        permitted: writers,
      },
      async ({ url, maxwidth, maxheight, discover }, context) => {
        const own = await ownEmbed(url, maxwidth, context);
        return own ?? found(await remoteEmbed({ url, maxwidth, maxheight: maxheight ?? null, discover }));
      },
    ),
  },
};

function found<T>(embed: T | null): T {
  if (embed === null) throw new ContentError('oembed_invalid_url', 'Not Found', 404);
  return embed;
}
