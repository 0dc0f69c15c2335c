import { execute, parse } from 'graphql';

import { authorize } from '../../auth/access.ts';
import type { RequestContext, ShareLink } from '../../auth/caller.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';
import { decodePolyline, type Position } from '../../schema/trips/polyline.ts';
import { type DrawnTrip, TRIP_COLORS } from '../../schema/trips/trip-drawing.ts';
import type { TripPath } from '../../schema/trips/trip-path.ts';

/** Operation that reads what an image of a share shows: its newest trips, with as many positions as can be distinguished. */
const SHARED_TRIPS_QUERY = parse(`query SharedTrips {
  trips(first: 50, newest_first: true) {
    nodes {
      start_point { point { lat lon } }
      end_point { point { lat lon } }
      stops { point { lat lon } }
      path(tolerance_meters: 2, max_points: 500) { precision points breaks gaps }
    }
  }
}`);

interface Place {
  readonly point: Position;
}

interface SharedTrip {
  readonly start_point: Place | null;
  readonly end_point: Place | null;
  readonly stops: readonly Place[];
  readonly path: Pick<TripPath, 'precision' | 'points' | 'breaks' | 'gaps'> | null;
}

/**
 * Reads the trips of a share as its page sees them, in the order of travel, to be drawn.
 *
 * @throws ServiceError as the root field `trips` does
 */
export async function readSharedTrips(context: RequestContext & { readonly caller: ShareLink }): Promise<DrawnTrip[]> {
  const schema = await gatewaySchema();
  const field = schema.getQueryType()?.getFields().trips;
  if (!field) throw new TypeError('The schema has no root field trips');
  authorize(context, field);
  const { data, errors } = await execute({
    schema,
    document: SHARED_TRIPS_QUERY,
    contextValue: context,
  });
  const [error] = errors ?? [];
  if (error) throw error.originalError ?? error;
  const { nodes } = Object(data?.trips) as { readonly nodes: readonly SharedTrip[] };
  return nodes.toReversed().map(drawnTrip);
}

function drawnTrip({ start_point, end_point, stops, path }: SharedTrip, index: number): DrawnTrip {
  const at = (kind: 'start' | 'stop' | 'end', place: Place | null) =>
    place ? [{ kind, position: [place.point.lon, place.point.lat] as const }] : [];
  return {
    color: TRIP_COLORS[index % TRIP_COLORS.length] ?? TRIP_COLORS[0],
    path: path === null ? [] : decodePolyline(path.points, path.precision),
    breaks: path?.breaks ?? [],
    gaps: path?.gaps ?? [],
    stops: [...stops.flatMap((stop) => at('stop', stop)), ...at('start', start_point), ...at('end', end_point)],
  };
}
