import type { ParameterTable } from '../parameter.ts';
import { toWholeNumber } from '../php-values.ts';

/** `GET /oembed/1.0/embed`. Whatever `format` and `maxwidth` are, they are taken for something. */
export const EMBED = {
  url: { required: true, convert: (value) => (typeof value === 'string' ? value.trim() : '') },
  format: { default: 'json', convert: (value) => (value === 'xml' ? 'xml' : 'json') },
  maxwidth: { default: 600, convert: toWholeNumber },
} as const satisfies ParameterTable;

/** `GET /oembed/1.0/proxy`. */
export const PROXY = {
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

/** The parameter for a number of pixels; whatever it is, it is taken for a whole number. */
function pixels(description: string) {
  return { type: 'integer', description, check: () => undefined, convert: toWholeNumber } as const;
}
