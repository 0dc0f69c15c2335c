import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

import { serviceSecret } from '../../models/service-secret.ts';
import { unknownCursor } from '../../schema/page.ts';
import type { Service } from '../../models/store/service.ts';

/** A position in the log of an account, as given to a reader. */
export interface ChangePlace {
  /** Number of the last entry before it. */
  readonly number: number;
  /** When it was issued. */
  readonly at: Date;
  /** Name of the part of the account that the reader could see then, {@link VIEW_BYTES} in base64url. */
  readonly view: string;
}

/** Size of a view's name in bytes, which fills the block after number and time. */
export const VIEW_BYTES = 6;
const NUMBER_BYTES = 6;
const TIME_BYTES = 4;
/** Distinguishes cursors of this kind. */
const PREFIX = 'c';

/** Writes positions as cursors, and reads them. */
export interface ChangeCursors {
  write(place: ChangePlace): string;
  /** @throws ServiceError BAD_REQUEST for an invalid cursor; a cursor of another reader has another view */
  read(cursor: string): ChangePlace;
}

/**
 * Makes the cursors of an account: each is one block of AES-256 under the account's key, since numbers of entries would reveal
 * changes that a reader cannot see. Times are in seconds since 1970, until 2106.
 */
export async function changeCursors(service: Service, accountKey: string): Promise<ChangeCursors> {
  const secret = await serviceSecret(service, 'change cursors');
  const key = new Uint8Array(hkdfSync('sha256', secret, accountKey, 'waybridge change cursors', 32));
  return {
    write: ({ number, at, view }) => {
      const block = Buffer.alloc(NUMBER_BYTES + TIME_BYTES + VIEW_BYTES);
      block.writeUIntBE(number, 0, NUMBER_BYTES);
      block.writeUInt32BE(Math.floor(at.getTime() / 1000), NUMBER_BYTES);
      block.write(view, NUMBER_BYTES + TIME_BYTES, 'base64url');
      return (
        PREFIX + createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(block).toString('base64url')
      );
    },
    read: (cursor) => {
      if (!/^c[\w-]{22}$/.test(cursor)) throw unknownCursor();
      const encrypted = Buffer.from(cursor.slice(PREFIX.length), 'base64url');
      const block = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(encrypted);
      const at = new Date(block.readUInt32BE(NUMBER_BYTES) * 1000);
      const view = block.toString('base64url', NUMBER_BYTES + TIME_BYTES);
      return { number: block.readUIntBE(0, NUMBER_BYTES), at, view };
    },
  };
}
