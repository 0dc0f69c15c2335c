import { type Caller, isTripMap } from '../../auth/caller.ts';
import { perService, type Service } from '../../models/store/service.ts';

/**
 * Maximum volume that the operations of an account hold in memory at a time, in values of answers. A value takes about
 * 100 bytes, with the record that it comes from.
 */
export const MAX_HELD = 1_000_000;

/** Volume that the operations in progress of one account hold in memory, in values. */
export class AccountMemory {
  #held = 0;
  #operations = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #onIdle: () => void;

  /** @param onIdle is called when no operation is in progress any more */
  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  /** Begins an operation; returns a promise if it must wait for the end of others that hold too much, in order of arrival. */
  enter(): Promise<void> | undefined {
    this.#operations += 1;
    return this.#isCrowded() ? new Promise((resolve) => this.#waiting.push(resolve)) : undefined;
  }

  /** Reserves or releases values; returns false if there are not enough. */
  hold(values: number): boolean {
    this.#held += values;
    return this.#held <= MAX_HELD;
  }

  /** Ends an operation, and releases its values. */
  leave(values: number): void {
    this.#held -= values;
    this.#operations -= 1;
    if (this.#operations === 0) this.#onIdle();
    else if (!this.#isCrowded()) this.#waiting.shift()?.();
  }

  #isCrowded(): boolean {
    return this.#held > MAX_HELD / 2;
  }
}

const memories = perService(() => new Map<string, AccountMemory>());

/**
 * Returns the memory of a caller's account. Its trip maps share a separate one, since anyone with a link or a page can open
 * them.
 */
export function memoryOf(service: Service, caller: Caller | undefined): AccountMemory {
  if (!caller || !('account_key' in caller)) return new AccountMemory(() => undefined);
  const key = isTripMap(caller) ? `map ${caller.account_key}` : caller.account_key;
  const memory = memories(service).get(key) ?? new AccountMemory(() => memories(service).delete(key));
  memories(service).set(key, memory);
  return memory;
}
