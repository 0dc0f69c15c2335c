/** One write of a campaign. */
export interface Write {
  /** Names what it makes, wherever that is shown. */
  readonly id: string;
  /** The content that must be shown of it. */
  readonly value: string;
  /** True where the service has acknowledged it; the outcome of any other write is unknown. */
  isAcknowledged: boolean;
}

/** The content that one read shows. */
export interface View {
  /** The endpoint, for people. */
  readonly name: string;
  /** The values that are shown under the id of each write, one for each time that it is shown. */
  readonly shown: ReadonlyMap<string, readonly string[]>;
  /** `acknowledged` where what has not been acknowledged cannot be asked for, since its key is unknown. */
  readonly covers?: 'all' | 'acknowledged';
  /** Set where the read shows nothing but these writes, so that anything else was made up. */
  readonly isExclusive?: boolean;
}

/** A fault of the service: a write that is not there exactly once, as it was sent, at every endpoint. */
export interface Finding {
  readonly fault: 'lost' | 'doubled' | 'unseen' | 'half';
  readonly id: string;
  readonly detail: string;
}

/** Values by id, of what a read shows. */
export function shownBy(entries: Iterable<readonly [id: string, value: string]>): Map<string, string[]> {
  const shown = new Map<string, string[]>();
  for (const [id, value] of entries) {
    const values = shown.get(id);
    if (values) values.push(value);
    else shown.set(id, [value]);
  }
  return shown;
}
