import type { ServerResponse } from 'node:http';

import { ServiceError } from '../../schema/service-error.ts';

/** Memory that one request holds until it is over. */
export interface HeldMemory {
  /** Bytes of all requests together. */
  readonly max: number;
  /** Reserves that many more bytes; false if they are not available. */
  take(bytes: number): boolean;
}

/** Memory that all requests share for their bodies and for decoded images: bytes count until their request ends. */
export class BodyMemory {
  readonly #max: number;
  #held = 0;

  /** @param max maximum number of bytes for all requests together */
  constructor(max: number) {
    this.#max = max;
  }

  /** Reserves memory for a request until it has been answered or its connection has ended. */
  hold(response: ServerResponse): HeldMemory {
    let own = 0;
    response.once('close', () => {
      this.#held -= own;
      own = 0;
    });
    return {
      max: this.#max,
      take: (bytes) => {
        if (this.#held + bytes > this.#max) return false;
        own += bytes;
        this.#held += bytes;
        return true;
      },
    };
  }
}

/** Error for a body that exceeds the available memory. */
export function outOfMemory(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'Too many uploads are in progress; try again later');
}
