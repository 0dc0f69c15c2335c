import { ServiceError } from '../../schema/service-error.ts';

/**
 * Rejects null for fields of an input that it does not clear.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export function rejectNull<Input extends object>(input: Input, names: readonly (keyof Input & string)[]): void {
  for (const name of names) {
    if (input[name] === null) throw new ServiceError('BAD_REQUEST', `${name} must not be null`);
  }
}
