import { ruleEvents } from '../../models/rules/rule-event.ts';
import { readRulesRevision } from '../../models/rules/rule.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { SETTLED_LIMITS } from '../../models/trips/trip-limits.ts';
import { pointsBetween, type TripPoints } from '../../models/trips/trip-points.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import type { AccountRules, VehicleRules } from '../rules/account-rules.ts';
import { rulesAt } from '../rules/known-rules.ts';
import { silencesWith } from '../rules/silences.ts';
import { type DrivenTrip, speedingOn } from '../rules/speeding.ts';

import { cutRecording } from '../trips/cut-recording.ts';
import { piecesOfTrips, recordedPoints } from '../trips/open-trip-points.ts';
import { type KnownTrip, type LeasedRecorder, nextTrip, tripsAround } from '../trips/recorded-trips.ts';
import type { Service } from '../../models/store/service.ts';

/** Positions of a device that were recorded under its lease. */
interface RecordedPositions {
  /** All new ones. */
  readonly fresh: TripPoints;
  /** Those that are new, or in another trip than before, within one part of the recording. */
  readonly changed: readonly TripPoints[];
}

/**
 * Computes the events of rules again where positions have changed, under the lease of their device. They follow from
 * the positions alone, so that this may be repeated after a kill, as long as these are still in minutes.
 */
export async function updateRuleEvents(
  service: Service,
  recorder: LeasedRecorder,
  positions: RecordedPositions,
  rules: AccountRules,
): Promise<void> {
  if (rules.isEmpty) return;
  await whileRulesStay(service, recorder, rules, async (now) => {
    let isAnyNew = false;
    for (const changed of positions.changed) if (await arrangeSpeeding(recorder, changed, now)) isAnyNew = true;
    if (await arrangeSilences(recorder, positions.fresh.time, now)) isAnyNew = true;
    return isAnyNew;
  });
}

/** Creates events of rules, and again if the rules have changed meanwhile: a deleted rule is left without events. */
async function whileRulesStay(
  service: Service,
  { accessScope: { account_key, vehicle_key } }: LeasedRecorder,
  rules: AccountRules,
  arrange: (rules: VehicleRules) => Promise<boolean>,
): Promise<void> {
  for (let now = rules; await arrange(now.of(vehicle_key)); ) {
    const revision = await readRulesRevision(accountAccessScope(service, account_key));
    if (revision === now.revision) return;
    now = await rulesAt(service, account_key, revision);
  }
}

/** Returns true if any event is new. */
async function arrangeSpeeding(recorder: LeasedRecorder, changed: TripPoints, rules: VehicleRules): Promise<boolean> {
  const event = 'trip_over_speeding';
  if (changed.length === 0) return false;
  const [from, until] = [changed.time[0] ?? 0, changed.time[changed.length - 1] ?? 0];
  if (!rules.isAnyAbove(changed) && !(await ruleEvents.hasAny(recorder, { from, until }, { event }))) return false;
  const around = await tripsAround(recorder, from, until);
  const next = await nextTrip(recorder, until);
  const begin = Math.min(from, around[0]?.start ?? from);
  const { all } = await recordedPoints(recorder, around, begin, next?.start ?? Infinity);
  // A trip stays stored as open until it is packed, and is closed by the clock: events follow from the positions alone.
  const last = next === null ? around.at(-1) : undefined;
  const driving = last && isDriving(all, last) ? last : null;
  const trips = piecesOfTrips(around, all).map(
    ({ points }, at): DrivenTrip => ({ points, isOver: around[at] !== driving }),
  );
  const span = { from: begin, until: next === null ? Infinity : next.start - 1 };
  const stored = (await ruleEvents.within(recorder, span, { event })).filter((one) => one.from >= begin);
  const events = rules.speeds.flatMap((rule) => speedingOn(trips, rule));
  return ruleEvents.replace(recorder, stored, events);
}

/** Returns true if a vehicle is still on a trip at the end of its recording. */
function isDriving(all: TripPoints, { start, recording }: KnownTrip): boolean {
  const { end } = cutRecording(pointsBetween(all, start, Infinity), recording.limits ?? SETTLED_LIMITS);
  return end.motion === 'driving';
}

/** Returns true if any event is new. */
async function arrangeSilences(
  recorder: LeasedRecorder,
  times: Float64Array,
  rules: VehicleRules,
  now = Date.now(),
): Promise<boolean> {
  const event = 'device_silent';
  if (rules.silences.length === 0 || times.length === 0) return false;
  const span = { from: times[0] ?? 0, until: times.at(-1) ?? 0 };
  const stored = await ruleEvents.within(recorder, span, { event });
  const last = await lastPositionAt(recorder);
  const isKnown = last !== null || (await ruleEvents.hasAny(recorder, { from: 0, until: Infinity }, { event }));
  const silences = rules.silences.flatMap((rule) => {
    const ofRule = stored.filter(({ rule_key }) => rule_key === rule.key);
    return silencesWith({ stored: ofRule, last, isKnown }, times, rule, now);
  });
  return ruleEvents.replace(recorder, stored, silences);
}

/** Time of the last position of a device in its vehicle; null if it has sent none there since its assignment. */
async function lastPositionAt({ accessScope, device_key }: LeasedRecorder): Promise<number | null> {
  const { account_key, vehicle_key } = accessScope;
  const filter = { key: device_key, vehicle_key };
  const device = await DeviceStore.findOne(accountAccessScope(accessScope.service, account_key), filter, 'position');
  return device?.position?.at.getTime() ?? null;
}

/**
 * Creates the events of silences of a device that has sent nothing for some time. Returns the milliseconds until another
 * rule would create one; null for never.
 */
export async function noticeSilence(
  service: Service,
  recorder: LeasedRecorder,
  rules: AccountRules,
  now = Date.now(),
): Promise<number | null> {
  let dueIn: number | null = null;
  await whileRulesStay(service, recorder, rules, async ({ silences }) => {
    const last = silences.length === 0 ? null : await lastPositionAt(recorder);
    if (last === null) return false;
    const held = silences.filter(({ since }) => last >= since);
    const waits = held.map(({ silent }) => last + silent - now).filter((wait) => wait > 0);
    dueIn = waits.length === 0 ? null : Math.min(...waits);
    const event = 'device_silent';
    const stored = await ruleEvents.within(recorder, { from: last, until: Infinity }, { event });
    const over = stored.filter(({ until }) => until !== Infinity);
    const going = held
      .filter(({ silent }) => now - last >= silent)
      .map(({ key: rule_key }) => {
        return {
          event,
          rule_key,
          from: last,
          until: Infinity,
          max_speed: null,
          point: null,
          is_earlier: false,
        } as const;
      });
    return ruleEvents.replace(recorder, stored, [...over, ...going]);
  });
  return dueIn;
}

/** Ends the silences of a device that leaves its vehicle. */
export async function endSilences(recorder: LeasedRecorder, now = Date.now()): Promise<void> {
  const event = 'device_silent';
  const stored = await ruleEvents.within(recorder, { from: now, until: Infinity }, { event });
  const ended = stored.map((one) => (one.until === Infinity ? { ...one, until: Math.max(now, one.from) } : one));
  await ruleEvents.replace(recorder, stored, ended);
}
