import type { StoredRule } from '../../models/rules/rule.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';

import { milesPerHour } from '../geometry/speeds.ts';

type RuleFacts = Pick<StoredRule, 'key' | 'speed_limit' | 'silent_minutes' | 'vehicle_keys' | 'since'>;

/** A speed rule; it applies to positions from a time on, in milliseconds since 1970. */
export interface SpeedRule {
  readonly key: string;
  /** Miles per hour. */
  readonly limit: number;
  readonly since: number;
}

/** A silence rule; it applies to silences that begin from a time on, in milliseconds since 1970. */
export interface SilenceRule {
  readonly key: string;
  /** Milliseconds without a position. */
  readonly silent: number;
  readonly since: number;
}

const MINUTE_MS = 60_000;

/** The rules that apply to a vehicle. */
export class VehicleRules {
  readonly speeds: readonly SpeedRule[];
  readonly silences: readonly SilenceRule[];
  readonly #lowestLimit: number;
  readonly #shortestSilence: number;

  constructor(rules: readonly RuleFacts[]) {
    this.speeds = rules.flatMap(({ key, speed_limit: limit, since }) =>
      limit === null ? [] : [{ key, limit, since: since.getTime() }],
    );
    this.silences = rules.flatMap(({ key, silent_minutes, since }) =>
      silent_minutes === null ? [] : [{ key, silent: silent_minutes * MINUTE_MS, since: since.getTime() }],
    );
    this.#lowestLimit = Math.min(...this.speeds.map(({ limit }) => limit));
    this.#shortestSilence = Math.min(...this.silences.map(({ silent }) => silent));
  }

  /** Returns true if any of some positions is above a limit. */
  isAnyAbove({ speed }: TripPoints): boolean {
    return this.speeds.length > 0 && speed.some((value) => milesPerHour(value) > this.#lowestLimit);
  }

  /** Returns true if a silence ends with any of some positions that come after an instant. */
  isAnySilent(after: number, { time }: TripPoints): boolean {
    return (
      this.silences.length > 0 && time.some((instant, at) => instant - (time[at - 1] ?? after) >= this.#shortestSilence)
    );
  }
}

const NONE = new VehicleRules([]);

/** The rules of an account. */
export class AccountRules {
  /** Number of changes of the account's rules when these were read. */
  readonly revision: number;
  readonly isEmpty: boolean;
  readonly #rules: readonly RuleFacts[];
  readonly #ofVehicles = new Map<string, VehicleRules>();

  constructor(revision: number, rules: readonly RuleFacts[]) {
    this.revision = revision;
    this.isEmpty = rules.length === 0;
    this.#rules = rules;
  }

  /** The rules that apply to a vehicle. */
  of(vehicle_key: string): VehicleRules {
    if (this.isEmpty) return NONE;
    const known = this.#ofVehicles.get(vehicle_key);
    if (known) return known;
    const holds = ({ vehicle_keys }: RuleFacts) => vehicle_keys.length === 0 || vehicle_keys.includes(vehicle_key);
    const rules = new VehicleRules(this.#rules.filter(holds));
    this.#ofVehicles.set(vehicle_key, rules);
    return rules;
  }
}

/** The rules of an account without rules. */
export const NO_RULES = new AccountRules(0, []);
