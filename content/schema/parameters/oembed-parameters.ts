import type { ParameterTable } from '../parameter.ts';

/** `GET /oembed/1.0/embed`. Whatever `format` and `maxwidth` are, they are taken for something. */
export const EMBED = {
  url: { required: true, convert: (value) => (typeof value === 'string' ? value.trim() : '') },
  format: { default: 'json', convert: (value) => (value === 'xml' ? 'xml' : 'json') },
  maxwidth: { default: 600, convert: absoluteInteger },
} as const satisfies ParameterTable;

/** `GET /oembed/1.0/proxy`. */
export const PROXY = {
  url: { type: 'string', description: 'The URL of the resource for which to fetch oEmbed data.', required: true },
  format: { type: 'string', description: 'The oEmbed format to use.', default: 'json', enum: ['json', 'xml'] },
  maxwidth: {
    type: 'integer',
    description: 'The maximum width of the embed frame in pixels.',
    default: 600,
    clean: 'whole',
  },
  maxheight: { type: 'integer', description: 'The maximum height of the embed frame in pixels.', clean: 'whole' },
  discover: {
    type: 'boolean',
    description: 'Whether to perform an oEmbed discovery request for non-whitelisted providers.',
    default: true,
  },
} as const satisfies ParameterTable;

/** A whole number of zero or more: of a text, the digits that it begins with. */
function absoluteInteger(value: unknown): number {
  if (typeof value === 'boolean') return Number(value);
  const number = typeof value === 'number' ? value : Number.parseFloat(String(value));
  return Number.isFinite(number) ? Math.abs(Math.trunc(number)) : 0;
}
