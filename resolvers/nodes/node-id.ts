import { ServiceError } from '../../schema/service-error.ts';

/** An object by its type and key. */
export interface NodeId {
  readonly type: string;
  readonly key: string;
}

/** Writes an id. */
export function writeNodeId({ type, key }: NodeId): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/**
 * Reads an id that {@link writeNodeId} wrote.
 *
 * @throws ServiceError BAD_REQUEST for another text
 */
export function readNodeId(id: string): NodeId {
  const [, type, key] = /^(\w+):(.+)$/s.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  if (type === undefined || key === undefined || writeNodeId({ type, key }) !== id) {
    throw unknownId();
  }
  return { type, key };
}

/** Error for an id that this service did not give. */
export function unknownId(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'id is not one that this service gave');
}
