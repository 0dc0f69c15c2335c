import type { RuleEvent } from '../../models/rules/rule-event.ts';

import type { SilenceRule } from './account-rules.ts';

/** State of a device before positions are added. */
export interface SilenceState {
  /** Its silences by a rule, those that began before it included, as far as they are not over before the positions. */
  readonly stored: readonly RuleEvent[];
  /** Time of its last position before; null if there is none. */
  readonly last: number | null;
  /** True if it has a silence by the rule at all. */
  readonly isKnown: boolean;
}

/**
 * The silences of a device by a rule once positions have been added: each time between consecutive positions that is as
 * long as the rule says. Positions part a silence, and can make none that does not come after the last position, or before
 * the first: a shorter time between positions becomes no longer.
 *
 * @param times of the positions, in order
 * @param now milliseconds since 1970: a silence that continues is kept if it is long enough by then
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
  // Before the first position there was none; if it has been in this vehicle before, the time between is unknown.
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
