import { may } from '../access/capabilities.ts';
import { ContentError } from '../schema/content-error.ts';
import { Untyped } from '../../schema/untyped.ts';

import { ownEmbed } from './own-embed.ts';
import { remoteEmbed } from './remote-embed.ts';
import { rootField, type RootFields, anyone, type PermissionCheck } from '../access/root-field.ts';
import { reject } from '../access/content-context.ts';
import type { ParameterTable } from '../schema/parameter.ts';
import { toWholeNumber } from '../schema/php-values.ts';

/** `GET /oembed/1.0/embed`. Any `format` and `maxwidth` are accepted. */
const EMBED = {
  url: { required: true, convert: (value) => (typeof value === 'string' ? value.trim() : '') },
  format: { default: 'json', convert: (value) => (value === 'xml' ? 'xml' : 'json') },
  maxwidth: { default: 600, convert: toWholeNumber },
} as const satisfies ParameterTable;

/** `GET /oembed/1.0/proxy`. */
const PROXY = {
  url: { type: 'string', description: 'The URL of the resource for which to fetch oEmbed data.', required: true },
  format: { type: 'string', description: 'The oEmbed format to use.', default: 'json', enum: ['json', 'xml'] },
  maxwidth: { ...pixels('The maximum width of the embed frame in pixels.'), default: 600 },
  maxheight: pixels('The maximum height of the embed frame in pixels.'),
  discover: {
    type: 'boolean',
    description: 'Whether to perform an oEmbed discovery request for non-whitelisted providers.',
    default: true,
  },
} as const satisfies ParameterTable;

/** The parameter for a number of pixels; any value is converted to a whole number. */
function pixels(description: string) {
  return { type: 'integer', description, check: () => undefined, convert: toWholeNumber } as const;
}

const writers: PermissionCheck = (_args, context) => {
  if (may(context.caller, 'edit_posts')) return;
  reject('rest_forbidden', 'Sorry, you are not allowed to make proxied oEmbed requests.', context);
};

/** `/oembed/1.0`: how pages of this website are embedded elsewhere, and pages of other sites here. */
export const oembedResolver: RootFields = {
  queries: {
    embed: rootField(
      'Embed data of a page of this website.',
      { returns: Untyped, takes: EMBED, permitted: anyone },
      async ({ url, maxwidth }: { readonly url: string; readonly maxwidth: number }, context) =>
        found(await ownEmbed(url, maxwidth, context)),
    ),
    proxyEmbed: rootField(
      'Embed data of a page of this or another site.',
      { returns: Untyped, takes: PROXY, permitted: writers },
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
