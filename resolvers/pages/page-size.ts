import { ServiceError } from '../../schema/service-error.ts';

/** The largest page that GraphQL serves. */
const MAX_PAGE_SIZE = 1000;

/**
 * Checks the `first` of a connection.
 *
 * @throws ServiceError BAD_REQUEST where it is not 1 to {@link MAX_PAGE_SIZE}
 */
export function checkPageSize(first: number): number {
  if (first < 1 || first > MAX_PAGE_SIZE) {
    throw new ServiceError('BAD_REQUEST', `first must be 1 to ${MAX_PAGE_SIZE}`);
  }
  return first;
}

/** The refusal of a cursor that no list of the caller's gave. */
export function badCursor(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'cursor is not one that this list gave for the same parameters');
}
