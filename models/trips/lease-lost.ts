import { ServiceError } from '../../schema/service-error.ts';

/** The error of a worker that no longer holds the lease of its device, or waits for it too long: 503. */
export function leaseLost(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'The device is busy; try again later');
}
