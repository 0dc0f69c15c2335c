import { UsageStore } from '../../models/usage/usage.ts';
import type { Service } from '../../models/store/service.ts';

/** A name that requests have used. */
export type UsedName = {
  readonly name: string;
  /** Day of the last request, `YYYY-MM-DD` (UTC). */
  readonly last_day: string;
  readonly count: number;
};

/** A caller and a client that have used a name. */
export type UserOfName = Omit<UsedName, 'name'> & {
  readonly account_key: string | null;
  readonly caller: string;
  readonly client: string;
};

interface Counted {
  readonly last: Date;
  readonly count: number;
}

const SUM = { last: { $max: '$last' }, count: { $sum: '$count' } };

/** The names that requests have used since a time, in the order of the names. */
export async function usedNames(service: Service, since: Date): Promise<UsedName[]> {
  const found = await UsageStore.aggregate<Counted & { readonly _id: string }>(service, [
    { $match: { last: { $gte: since } } },
    { $unwind: '$names' },
    { $group: { _id: '$names', ...SUM } },
    { $sort: { _id: 1 } },
  ]);
  return found.map(({ _id, last, count }) => ({ name: _id, last_day: dayOf(last), count }));
}

/** The callers and clients that have used a name since a time, latest first. */
export async function usersOf(service: Service, name: string, since: Date): Promise<UserOfName[]> {
  type Caller = Pick<UserOfName, 'account_key' | 'caller' | 'client'>;
  const found = await UsageStore.aggregate<Counted & { readonly _id: Caller }>(service, [
    { $match: { names: name, last: { $gte: since } } },
    { $group: { _id: { account_key: '$account_key', caller: '$caller', client: '$client' }, ...SUM } },
    { $sort: { last: -1, _id: 1 } },
  ]);
  return found.map(({ _id, last, count }) => ({ ..._id, last_day: dayOf(last), count }));
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
