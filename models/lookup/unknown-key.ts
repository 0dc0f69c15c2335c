import { ServiceError } from '../../schema/service-error.ts';

/** The error for an unknown key, naming its parameter; the operator may see every key. */
export function unknownKey(parameter: string, kind: string, key: string): ServiceError {
  return new ServiceError('BAD_REQUEST', `${parameter} must be the key of ${kind}; ${quoted(key)} does not exist`);
}

function quoted(key: string): string {
  return JSON.stringify(key.length > 160 ? `${key.slice(0, 160)}…` : key);
}

/**
 * Rejects null for fields of an input that cannot be cleared.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export function rejectNull<Input extends object>(input: Input, names: readonly (keyof Input & string)[]): void {
  for (const name of names) {
    if (input[name] === null) throw new ServiceError('BAD_REQUEST', `${name} must not be null`);
  }
}
