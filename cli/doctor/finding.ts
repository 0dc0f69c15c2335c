/** States of a part: a `problem` prevents the service from working, a `warning` may do so later. */
export type FindingState = 'sound' | 'warning' | 'problem';

/** A statement on one part of an installation. */
export interface Finding {
  /** The part, in one word. */
  readonly check: string;
  readonly state: FindingState;
  readonly detail: string;
  /** A sentence on what to do; null if it is sound. */
  readonly advice: string | null;
}

/** Makes the finding of a sound part. */
export function sound(check: string, detail: string): Finding {
  return { check, state: 'sound', detail, advice: null };
}

/** Makes the finding of a part that may fail later. */
export function warning(check: string, detail: string, advice: string): Finding {
  return { check, state: 'warning', detail, advice };
}

/** Makes the finding of a part that does not work. */
export function problem(check: string, detail: string, advice: string): Finding {
  return { check, state: 'problem', detail, advice };
}
