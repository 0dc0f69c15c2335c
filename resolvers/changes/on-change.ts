const listeners = new Map<string, Set<() => void>>();
const beginnings = new Set<() => void>();

/** Calls back when somebody begins to listen to a log while nobody does; returns a function that ends it. */
export function onFirstLogListener(listener: () => void): () => void {
  beginnings.add(listener);
  return () => void beginnings.delete(listener);
}

/**
 * Calls a function whenever the log of an account may have new entries, made by this server or another: read them then,
 * after the last one that was read. Returns a function that ends it.
 */
export function onChange(accountKey: string, listener: () => void): () => void {
  const ofAccount = listeners.get(accountKey) ?? new Set();
  const isFirst = listeners.size === 0;
  listeners.set(accountKey, ofAccount.add(listener));
  if (isFirst) for (const begin of beginnings) begin();
  return () => {
    ofAccount.delete(listener);
    if (ofAccount.size === 0 && listeners.get(accountKey) === ofAccount) listeners.delete(accountKey);
  };
}

const numberedHere = new Set<(accountKey: string) => void>();

/** Calls a function with the key of each account to whose log this server has added entries; returns a function that ends it. */
export function onEntries(listener: (accountKey: string) => void): () => void {
  numberedHere.add(listener);
  return () => void numberedHere.delete(listener);
}

/** Says that this server has added entries to the log of an account. */
export function announceAdded(accountKey: string): void {
  for (const listener of numberedHere) listener(accountKey);
  announceEntries(accountKey);
}

/** Says that the log of an account has new entries, made by this server or another. */
export function announceEntries(accountKey: string): void {
  for (const listener of listeners.get(accountKey) ?? []) listener();
}

/** Tells whether anybody listens to a log. */
export function isAnyLogListenedTo(): boolean {
  return listeners.size > 0;
}

/** Keys of the accounts to whose logs somebody listens. */
export function accountsListenedTo(): string[] {
  return [...listeners.keys()];
}

/** Somebody who waits for entries. */
export interface Waiter {
  /** Settles with true once entries may have come since the waiter was made, and with false when the time is over. */
  arrived(): Promise<boolean>;
  end(): void;
}

const waiters = new Set<() => void>();

/**
 * Waits for entries of an account.
 * @param until milliseconds since 1970
 */
export function nextEntries(accountKey: string, until: number): Waiter {
  let settle: (isNews: boolean) => void = () => undefined;
  const arrival = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const giveUp = () => settle(false);
  const timer = setTimeout(giveUp, Math.max(0, until - Date.now()));
  const stop = onChange(accountKey, () => settle(true));
  waiters.add(giveUp);
  return {
    arrived: () => arrival,
    end: () => {
      clearTimeout(timer);
      waiters.delete(giveUp);
      stop();
    },
  };
}

/** Ends all waiting, so that a server that shuts down answers. */
export function endWaiting(): void {
  for (const giveUp of waiters) giveUp();
}
