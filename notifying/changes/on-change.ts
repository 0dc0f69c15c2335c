import { perService, type Service } from '../../models/store/service.ts';

const listeners = perService(() => new Map<string, Set<() => void>>());
const beginnings = perService(() => new Set<() => void>());

/** Calls back when the first listener of a log arrives; returns a function that ends it. */
export function onFirstLogListener(service: Service, listener: () => void): () => void {
  beginnings(service).add(listener);
  return () => void beginnings(service).delete(listener);
}

/**
 * Calls a function whenever the log of an account may have new entries, made by this server or another: read it then,
 * from the last entry that was read. Returns a function that ends it.
 */
export function onChange(service: Service, accountKey: string, listener: () => void): () => void {
  const ofAccount = listeners(service).get(accountKey) ?? new Set();
  const isFirst = listeners(service).size === 0;
  listeners(service).set(accountKey, ofAccount.add(listener));
  if (isFirst) for (const begin of beginnings(service)) begin();
  return () => {
    ofAccount.delete(listener);
    if (ofAccount.size === 0 && listeners(service).get(accountKey) === ofAccount) listeners(service).delete(accountKey);
  };
}

const numberedHere = perService(() => new Set<(accountKey: string) => void>());

/** Calls a function with the key of each account to whose log this server has added entries; returns a function that ends it. */
export function onEntries(service: Service, listener: (accountKey: string) => void): () => void {
  numberedHere(service).add(listener);
  return () => void numberedHere(service).delete(listener);
}

/** Announces that this server has added entries to the log of an account. */
export function announceAdded(service: Service, accountKey: string): void {
  for (const listener of numberedHere(service)) listener(accountKey);
  announceEntries(service, accountKey);
}

/** Announces that the log of an account has new entries, made by this server or another. */
export function announceEntries(service: Service, accountKey: string): void {
  for (const listener of listeners(service).get(accountKey) ?? []) listener();
}

/** Returns true if anyone listens to a log. */
export function isAnyLogListenedTo(service: Service): boolean {
  return listeners(service).size > 0;
}

/** Keys of the accounts whose logs have listeners. */
export function accountsListenedTo(service: Service): string[] {
  return [...listeners(service).keys()];
}

/** A waiter for entries. */
export interface Waiter {
  /** Resolves to true once there may be new entries since the waiter was created, and to false when the time is over. */
  arrived(): Promise<boolean>;
  end(): void;
}

const waiters = perService(() => new Set<() => void>());

/**
 * Waits for entries of an account.
 * @param until milliseconds since 1970
 */
export function nextEntries(service: Service, accountKey: string, until: number): Waiter {
  let settle: (isNews: boolean) => void = () => undefined;
  const arrival = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const giveUp = () => settle(false);
  const timer = setTimeout(giveUp, Math.max(0, until - Date.now()));
  const stop = onChange(service, accountKey, () => settle(true));
  waiters(service).add(giveUp);
  return {
    arrived: () => arrival,
    end: () => {
      clearTimeout(timer);
      waiters(service).delete(giveUp);
      stop();
    },
  };
}

/** Ends all waiting, so that a server that shuts down can answer. */
export function endWaiting(service: Service): void {
  for (const giveUp of waiters(service)) giveUp();
}
