import { addAppRequests, MAX_APP_REQUESTS } from '../../models/usage/app-requests.ts';
import { addUsage } from '../../models/usage/usage.ts';
import { perService, type Service } from '../../models/store/service.ts';
import type { AppRequest } from '../../schema/account/app-request.ts';

import type { Caller } from '../caller.ts';
import type { UsedNames } from './used-names.ts';

/** Maximum number of combinations of a caller that are counted between two writes; others are counted as one. */
const MAX_COMBINATIONS = 100;

/** Requests of a caller and a client that used the same names. */
interface Counted {
  readonly account_key: string | null;
  readonly caller: string;
  readonly client: string;
  readonly used: UsedNames;
  count: number;
  last: number;
}

/** Counts what callers use, and keeps the latest requests of apps. What was counted is written by {@link write}. */
export class UsageCounter {
  readonly #service: Service;
  #counted = new Map<string, Map<string, Counted>>();
  #requests = new Map<string, AppRequest[]>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Counts a request. */
  count(caller: Caller, client: string, used: UsedNames): void {
    const account_key = 'account_key' in caller ? caller.account_key : null;
    const one: Counted = { account_key, caller: nameOf(caller), client, used, count: 1, last: this.#service.now() };
    const combinations = this.#combinationsOf(one);
    const key = keyOf(one);
    const known = combinations.get(key);
    if (known) Object.assign(known, { count: known.count + 1, last: one.last });
    else if (combinations.size < MAX_COMBINATIONS) combinations.set(key, one);
    else this.#countTogether(combinations, { ...one, client: '' });
  }

  /** Keeps a request of an app. */
  note(client_id: string, request: AppRequest): void {
    const requests = this.#requests.get(client_id) ?? [];
    this.#requests.set(client_id, requests);
    requests.push(request);
    if (requests.length > MAX_APP_REQUESTS * 2) requests.splice(0, requests.length - MAX_APP_REQUESTS);
  }

  /** Writes what was counted since the last time; if that fails, it is written the next time. */
  async write(): Promise<void> {
    await Promise.all([this.#writeCounted(), this.#writeRequests()]);
  }

  /** Combinations of a caller, by {@link keyOf}. */
  #combinationsOf({ account_key, caller }: Counted): Map<string, Counted> {
    const owner = `${account_key} ${caller}`;
    const combinations = this.#counted.get(owner) ?? new Map<string, Counted>();
    this.#counted.set(owner, combinations);
    return combinations;
  }

  #countTogether(combinations: Map<string, Counted>, { used, ...one }: Counted): void {
    const others = combinations.get('others');
    const together = others ? others.used.with(used.names) : used;
    combinations.set('others', { ...one, used: together, count: (others?.count ?? 0) + 1 });
  }

  async #writeCounted(): Promise<void> {
    const counted = [...this.#counted.values()].flatMap((combinations) => [...combinations.values()]);
    this.#counted = new Map();
    if (counted.length === 0) return;
    try {
      await addUsage(this.#service, counted.map(toStored));
    } catch (error) {
      for (const one of counted) this.#restore(one);
      throw error;
    }
  }

  #restore(counted: Counted): void {
    const combinations = this.#combinationsOf(counted);
    const key = keyOf(counted);
    combinations.set(key, { ...counted, count: counted.count + (combinations.get(key)?.count ?? 0) });
  }

  async #writeRequests(): Promise<void> {
    const noted = [...this.#requests];
    this.#requests = new Map();
    if (noted.length > 0) await addAppRequests(this.#service, noted);
  }
}

/** The counter of a service. */
export const usageOf = perService((service) => new UsageCounter(service));

function keyOf({ client, used }: Counted): string {
  return `${client} ${used.hash}`;
}

function toStored({ used, last, ...counted }: Counted) {
  return { ...counted, hash: used.hash, names: used.names, last: new Date(last) };
}

/** Names a caller within its account, without what only some of its requests have. */
function nameOf(caller: Caller): string {
  switch (caller.kind) {
    case 'app':
    case 'embed':
      return `${caller.kind} ${caller.client_id}`;
    case 'owner':
      return caller.api_key === undefined ? 'key' : `key ${caller.api_key}`;
    default:
      return caller.kind;
  }
}
