import { ServiceError } from '../schema/service-error.ts';

import { type Arguments, readOnce } from './read-arguments.ts';

/** Maximum number of objects in one REST answer; the cursor leads to more. Decisions: "Keys, pages, values". */
export const MAX_REST_PAGE = 200;

/**
 * Reads `size` and `cursor` as the arguments of a connection.
 * @throws ServiceError BAD_REQUEST where `size` is not a whole number from 1, or either is given twice
 */
export function readPage(search: URLSearchParams): Arguments {
  const args: Arguments = {};
  const size = readOnce('size', search);
  if (size !== undefined) {
    if (!/^[1-9][0-9]*$/.test(size)) throw new ServiceError('BAD_REQUEST', 'size must be a whole number from 1');
    args.first = Math.min(Number(size), MAX_REST_PAGE);
  }
  const cursor = readOnce('cursor', search);
  if (cursor !== undefined) args.after = cursor;
  return args;
}
