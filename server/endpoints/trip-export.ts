import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { demand, type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { EXPORT_FORMATS, type ExportFormat, exportTrip } from '../../resolvers/trip-export/export-trip.ts';
import type { JsonSchema } from '../../rest-bridge/open-api-info.ts';
import { errorResponsesOf } from '../../rest-bridge/open-api-responses.ts';

import { identified } from '../../http/requests/identified.ts';
import { preflightHeaders, type RestEndpointOptions } from './rest-endpoint.ts';

const FORMATS = Object.keys(EXPORT_FORMATS) as ExportFormat[];

/** How the files are reached. */
interface TripExportOptions extends Pick<RestEndpointOptions, 'prefix' | 'pagesMaySend'> {
  /** Who asks; throws a `ServiceError` where the credentials do not hold. */
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
}

/**
 * Serves a trip as a file at `trip/{key}.gpx` and `trip/{key}.geojson`, streamed; for the account's owner, by API key.
 * Order of refusals: credentials 401, an app 403, the trip 404, the budget of positions 429.
 */
export function addTripExport(app: FastifyInstance, { prefix, contextOf, pagesMaySend }: TripExportOptions): void {
  const owners = identified(async (request) => {
    const { caller } = await contextOf(request);
    demand(caller, ['owner']);
    return { account_key: accessScopeOf(caller).account_key, work: request.server.admission.meter(request, caller) };
  });
  for (const format of FORMATS) {
    const url = `${prefix}/trip/:key.${format}`;
    app.get<{ Params: { key: string } }>(url, {
      config: { callers: 'identified' },
      onRequest: [
        async (_request, reply) =>
          void reply.header('Cache-Control', 'no-store').header('Access-Control-Allow-Origin', '*'),
        owners.onRequest,
      ],
      preValidation: owners.preValidation,
      handler: async (request, reply) => {
        const { key } = request.params;
        const { account_key, work } = owners.get(request) ?? { account_key: '' };
        const text = await exportTrip(account_key, key, format, work);
        const name = /^[\w-]{1,150}$/.test(key) ? key : 'trip';
        return reply
          .type(EXPORT_FORMATS[format])
          .header('Content-Disposition', `attachment; filename="${name}.${format}"`)
          .send(Readable.from(text));
      },
    });
    app.options(url, (_request, reply) =>
      reply
        .code(204)
        .headers(preflightHeaders({ pagesMaySend }, ['GET']))
        .send(),
    );
  }
}

/** Adds the files to the description of an API. */
export function withTripExport(description: JsonSchema): JsonSchema {
  const paths = FORMATS.map((format) => [`/trip/{key}.${format}`, { get: operationOf(format) }]);
  const tag = { name: 'trip', description: 'Recorded trips as files.' };
  return {
    ...description,
    tags: [...(description.tags as readonly object[]), tag],
    paths: { ...(description.paths as object), ...Object.fromEntries(paths) },
  };
}

function operationOf(format: ExportFormat): JsonSchema {
  const name = format === 'gpx' ? 'GPX 1.1' : 'GeoJSON';
  return {
    operationId: `exportTripAs${format === 'gpx' ? 'Gpx' : 'GeoJson'}`,
    summary: `A trip as ${name}`,
    description: `All recorded positions of a trip with times, speeds (m/s), headings and events, as ${name}. For the account's owner.`,
    tags: ['trip'],
    security: [{ apiKey: [] }],
    parameters: [
      { name: 'key', in: 'path', required: true, description: 'Key of the trip.', schema: { type: 'string' } },
    ],
    responses: {
      200: {
        description: 'The file.',
        content: { [EXPORT_FORMATS[format]]: { schema: format === 'gpx' ? { type: 'string' } : { type: 'object' } } },
      },
      ...errorResponsesOf({ takesBody: false, mayBeAbsent: true }),
    },
  };
}
