import type { RuleEvent } from '../../models/rules/rule-event.ts';

import type { SilenceRule } from './account-rules.ts';

/** State of a device before positions are added. */
export interface SilenceState {
  /** Its silences by a rule, including those that began before it, that did not end before the positions. */
  readonly stored: readonly RuleEvent[];
  /** Time of its last position before; null if there is none. */
  readonly last: number | null;
  /** True if it has any silence by the rule. */
  readonly isKnown: boolean;
}

/**
 * The silences of a device by a rule once positions have been added: each time between consecutive positions that is as
 * long as the rule says. Positions split a silence, and can only create one after the last position, or before
 * the first, since times between positions never become longer.
 *
 * @param times of the positions, in order
 * @param now milliseconds since 1970: an open silence is kept if it is long enough by then
 */
export function silencesWith(
  { stored, last, isKnown }: SilenceState,
  times: Float64Array,
  { key: rule_key, silent, since }: SilenceRule,
  now: number,
): RuleEvent[] {
  const silence = (from: number, until: number): RuleEvent => {
    const is_earlier = from < since;
    return { event: 'device_silent', rule_key, from, until, max_speed: null, point: null, is_earlier };
  };
  const hasOpen = stored.some(({ until }) => until === Infinity);
  // There is no silence before the first position; if the device was in this vehicle before, the time between is unknown.
  const begin = last ?? (isKnown ? null : 0);
  const present = hasOpen || begin === null ? [] : [silence(begin, Infinity)];
  return [...stored, ...present].flatMap(({ from, until }) => {
    const within = times.filter((time) => time > from && time < until);
    const ends = [from, ...within, until];
    return ends.slice(0, -1).flatMap((start, at) => {
      const end = ends[at + 1] ?? until;
      const isLong = end === Infinity ? hasOpen && now - start >= silent : end - start >= silent;
      return isLong ? [silence(start, end)] : [];
    });
  });
}
