import type { ServerResponse } from 'node:http';

import { ServiceError } from '../../schema/service-error.ts';

/** Memory that one request holds until it is over. */
export interface HeldMemory {
  /** Takes so many bytes more; false where there are none left. */
  take(bytes: number): boolean;
}

/** Memory for the bodies of requests, which all of them share: bytes count as they arrive, until their request is over. */
export class BodyMemory {
  readonly #max: number;
  #held = 0;

  /** @param max bytes that are held at once */
  constructor(max: number) {
    this.#max = max;
  }

  /** Holds memory for a request, which is given back when it has been answered or its connection has ended. */
  hold(response: ServerResponse): HeldMemory {
    let own = 0;
    response.once('close', () => {
      this.#held -= own;
      own = 0;
    });
    return {
      take: (bytes) => {
        if (this.#held + bytes > this.#max) return false;
        own += bytes;
        this.#held += bytes;
        return true;
      },
    };
  }
}

/** Refusal of a body for which there is no memory. */
export function outOfMemory(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'Too many uploads are under way; try again later');
}
