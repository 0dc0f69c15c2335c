import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

import { serviceSecret } from '../service-secret.ts';
import type { Page } from '../../schema/page.ts';
import type { Service } from '../store/service.ts';

/** The start of a page: at a place in a list, or after it. */
export interface PageStart<Place> {
  readonly place: Place;
  readonly isAfter: boolean;
}

/** Places in a list as text. */
export interface Places<Place> {
  write(place: Place): string;
  /** Reads what `write` wrote. */
  read(text: string): Place;
  /**
   * Finds the place that the key of an object names, or a cursor of version 0.2.
   * @throws ServiceError BAD_REQUEST if there is none
   */
  find(text: string): Place | Promise<Place>;
}

/** Objects that were read for a page. */
export interface FoundPage<T, Place> {
  /** The objects from the start on, or before it: up to one more than `size`, which shows that there are others. */
  readonly found: readonly T[];
  readonly size: number;
  readonly start: PageStart<Place> | null;
  readonly placeOf: (object: T) => Place;
  /** Cursor of REST for a page that begins with an object; sealed by default. */
  readonly nextCursorOf?: ((object: T) => string) | undefined;
  /** True if the objects are those before the start, the nearest first. */
  readonly isBackward?: boolean;
}

/** Mark of a place after which a page starts, in a sealed cursor and before a cursor of version 0.2. */
const AFTER = '>';
/** Mark of a place at which a page starts. */
const AT = '=';

const IV_BYTES = 16;
/** Form of a sealed cursor; others are keys, or cursors of version 0.2. */
const SEALED = /^[\w-]{24,150}$/;

/**
 * Cursors of one list. Each is a place in it, encrypted, since places have times and internal identifiers, with an initialization
 * vector that authenticates it, so that the same place has the same cursor. Source: the construction of RFC 5297, with HMAC-SHA-256.
 */
export class ListCursors<Place> {
  readonly #places: Places<Place>;
  readonly #keyFor: (use: string) => Buffer;
  #derived: { readonly encryption: Buffer; readonly authentication: Buffer } | undefined;

  private constructor(places: Places<Place>, keyFor: (use: string) => Buffer) {
    this.#places = places;
    this.#keyFor = keyFor;
  }

  /** @param list identifies the list, such as its name and the access scope of the caller: its cursors are invalid in others */
  static async of<Place>(
    service: Service,
    list: readonly unknown[],
    places: Places<Place>,
  ): Promise<ListCursors<Place>> {
    const secret = await serviceSecret(service, 'list cursors');
    const name = JSON.stringify(list);
    return new ListCursors(places, (use) => createHmac('sha256', secret).update(`${use} ${name}`).digest());
  }

  /**
   * Reads the `after` of a connection; null for the first page.
   * @throws ServiceError BAD_REQUEST for a text that is not a cursor of this list
   */
  async start(after: string | null | undefined): Promise<PageStart<Place> | null> {
    if (after == null) return null;
    const opened = SEALED.test(after) ? this.#open(Buffer.from(after, 'base64url')) : null;
    const text = opened ?? after;
    const isAfter = text.startsWith(AFTER);
    if (opened !== null) return { place: this.#places.read(opened.slice(1)), isAfter };
    return { place: await this.#places.find(isAfter ? text.slice(1) : text), isAfter };
  }

  /** Makes a page. */
  page<T>({ found, size, start, placeOf, nextCursorOf, isBackward = false }: FoundPage<T, Place>): Page<T> {
    const nodes = isBackward ? found.slice(0, size).toReversed() : found.slice(0, size);
    const next = found[size];
    const cursorOf = (object: T) => this.#seal(AFTER, placeOf(object));
    const nextOf = nextCursorOf ?? ((object: T) => this.#seal(AT, placeOf(object)));
    const orNull = (object: T | undefined, write: (object: T) => string) =>
      object === undefined ? null : write(object);
    return {
      nodes,
      // Computed when they are asked for.
      page_info: {
        get end_cursor() {
          return orNull(nodes.at(-1), cursorOf);
        },
        has_next_page: isBackward ? start !== null : next !== undefined,
        get start_cursor() {
          return orNull(nodes[0], cursorOf);
        },
        has_previous_page: isBackward ? next !== undefined : start !== null,
        get next_cursor() {
          return orNull(next, nextOf);
        },
      },
      cursors: () => nodes.map(cursorOf),
    };
  }

  #seal(mark: string, place: Place): string {
    const text = Buffer.from(mark + this.#places.write(place));
    const iv = this.#ivOf(text);
    const sealed = createCipheriv('aes-256-ctr', this.#keys.encryption, iv).update(text);
    return Buffer.concat([iv, sealed]).toString('base64url');
  }

  #open(bytes: Buffer): string | null {
    const iv = bytes.subarray(0, IV_BYTES);
    const text = createDecipheriv('aes-256-ctr', this.#keys.encryption, iv).update(bytes.subarray(IV_BYTES));
    return timingSafeEqual(this.#ivOf(text), iv) ? text.toString() : null;
  }

  #ivOf(text: Buffer): Buffer {
    return createHmac('sha256', this.#keys.authentication).update(text).digest().subarray(0, IV_BYTES);
  }

  get #keys() {
    this.#derived ??= { encryption: this.#keyFor('encryption'), authentication: this.#keyFor('authentication') };
    return this.#derived;
  }
}
