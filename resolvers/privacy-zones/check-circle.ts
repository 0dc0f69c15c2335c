import { ServiceError } from '../../schema/service-error.ts';

/** Least and greatest value of each number of a zone. */
const RANGES = { lat: [-90, 90], lon: [-180, 180], radius_meters: [1, 100_000] } as const;

/** Numbers of a zone by the names of their parameters; absent ones stay as they are. */
type Circle = { readonly [Parameter in keyof typeof RANGES]?: number | undefined };

/**
 * Checks the numbers of a privacy zone.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter
 */
export function checkCircle(circle: Circle): void {
  for (const parameter of ['lat', 'lon', 'radius_meters'] as const) {
    const value = circle[parameter];
    const [min, max] = RANGES[parameter];
    if (value === undefined || (value >= min && value <= max)) continue;
    throw new ServiceError('BAD_REQUEST', `${parameter} must be a number from ${min} to ${max}`);
  }
}
