import type { RequestContext } from '../../auth/caller.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { type AccountMemory, MAX_HELD, memoryOf } from './account-memory.ts';
import { RECORDS_PER_COST } from './operation-cost.ts';

/** Number of values by which a record of a page is charged, in addition to its lists and selected values. */
const VALUES_PER_RECORD = 20;

/** Length from which a text counts as several values, as for a polyline or a file. */
export const LONG_TEXT = 100;

/** Number of records of pages that an operation reads concurrently from the database. */
const MAX_READ_TOGETHER = 5000;

/** A page that an operation reads. */
export interface PageRead {
  /** Maximum number of its records. */
  readonly size: number;
  /** Cost of the read without its records. */
  readonly cost: number;
}

/** Conditions under which an operation is executed. */
export interface OperationLimits {
  /** Maximum cost of the pages that it reads; none by default. */
  readonly maxCost?: number;
  /** True if it continues without its client: it changes something. */
  readonly isChange?: boolean;
  /** True if its answer is text: records of lists may be `JsonText`, which `stringifyInSlices` writes. */
  readonly writesRecords?: boolean;
}

/**
 * Budget of an operation while it is executed, which is charged for what it reads. After its cost or the memory of its account is
 * exhausted, or its client has left, every further step throws {@link OperationBudget.ended}.
 */
export class OperationBudget {
  readonly #memory: AccountMemory;
  readonly #maxCost: number;
  readonly #isClientGone: () => boolean;
  readonly #noteCost: (cost: number) => void;
  #ended: ServiceError | null = null;
  #cost = 0;
  #held = 0;
  #hasLeft = false;
  #readTogether = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    {
      service,
      caller,
      isClientGone,
      noteCost = () => undefined,
    }: Pick<RequestContext, 'service' | 'caller' | 'isClientGone' | 'noteCost'>,
    { maxCost, isChange }: OperationLimits,
  ) {
    this.#memory = memoryOf(service, caller);
    this.#maxCost = maxCost ?? Number.POSITIVE_INFINITY;
    this.#noteCost = noteCost;
    this.#isClientGone = (!isChange && isClientGone) || (() => false);
  }

  /** The reason why the operation was aborted; null if it was not. */
  get ended(): ServiceError | null {
    return this.#ended;
  }

  /** Begins the operation: a promise if it must wait for others of the account. */
  enter(): Promise<void> | undefined {
    return this.#memory.enter();
  }

  /** Ends the operation: its answer is complete, or dropped. */
  leave(): void {
    this.#memory.leave(this.#held);
    this.#noteCost(this.#cost);
    this.#hasLeft = true;
  }

  /**
   * Charges values that are put into the answer.
   *
   * @throws ServiceError
   */
  spend(values: number): void {
    if (this.#ended) throw this.#ended;
    if (this.#isClientGone()) this.#end(new ServiceError('BAD_REQUEST', 'The client has closed the connection'));
    this.#hold(values);
  }

  /**
   * Reads a page, after others of the operation if they are large.
   *
   * @throws ServiceError
   */
  read(page: PageRead, find: () => unknown): unknown {
    const isWaiting = this.#readTogether > 0 && this.#readTogether + page.size > MAX_READ_TOGETHER;
    if (!isWaiting) return this.#readNow(page, find);
    return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#readNow(page, find));
  }

  #readNow({ size, cost }: PageRead, find: () => unknown): unknown {
    this.#readTogether += size;
    const settle = () => {
      this.#readTogether -= size;
      this.#waiting.shift()?.();
      this.#giveBack(size * VALUES_PER_RECORD);
    };
    const charge = (found: unknown) => {
      settle();
      const records = recordsOf(found);
      this.spend(valuesOf(records));
      this.#charge(records.length / RECORDS_PER_COST);
      return found;
    };
    const fail = (error: unknown) => {
      settle();
      throw error;
    };
    let found: unknown;
    try {
      this.spend(size * VALUES_PER_RECORD);
      this.#charge(cost);
      found = find();
    } catch (error) {
      return fail(error);
    }
    return found instanceof Promise ? found.then(charge, fail) : charge(found);
  }

  #charge(cost: number): void {
    this.#cost += cost;
    if (this.#cost <= this.#maxCost) return;
    const message = `The operation has read data that costs more than ${this.#maxCost}; request smaller pages`;
    this.#end(new ServiceError('BAD_REQUEST', message));
  }

  #hold(values: number): void {
    // After an error that leaves no data, reads in progress still arrive.
    if (this.#hasLeft) return;
    this.#held += values;
    if (this.#memory.hold(values)) return;
    this.#end(
      this.#held > MAX_HELD
        ? new ServiceError('BAD_REQUEST', `The response has more than ${MAX_HELD} values; request smaller pages`)
        : new ServiceError('TOO_MANY_REQUESTS', 'Other requests of the account use too much memory; try again later'),
    );
  }

  #giveBack(values: number): void {
    if (this.#hasLeft) return;
    this.#held -= values;
    this.#memory.hold(-values);
  }

  #end(reason: ServiceError): never {
    this.#ended ??= reason;
    throw this.#ended;
  }
}

/** Records of a page or list that was read. */
function recordsOf(found: unknown): readonly unknown[] {
  if (Array.isArray(found)) return found;
  const { nodes } = Object(found) as { readonly nodes?: unknown };
  return Array.isArray(nodes) ? nodes : [];
}

/** Number of values by which records are charged: unselected fields have been read too. */
function valuesOf(records: readonly unknown[]): number {
  let values = records.length * VALUES_PER_RECORD;
  for (const record of records) {
    for (const member of Object.values(Object(record))) {
      if (Array.isArray(member)) values += member.length;
      else if (typeof member === 'string') values += member.length / LONG_TEXT;
    }
  }
  return values;
}
