import { Int } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { ANY, numberFrom, inputOf, Writable, WritableInput } from '../writable.ts';
import { RecordType } from '../field-decorators.ts';

/** Longest time in settings, in seconds. */
const DAY = 86_400;

export const Reporter = closedList('Reporter', 'A kind of device, from which its trip settings follow.', {
  phone: 'A telephone: positions scatter more, and there is no ignition.',
  tracker: 'A tracker that is not connected to the ignition.',
  tracker_with_ignition: 'A tracker that is connected to the ignition.',
  logger: 'A logger that is switched on to drive: when it is silent, it is off.',
  secondary: 'A further device in a vehicle: its positions are stored, and are in no trip.',
});
export type Reporter = keyof typeof Reporter;

/** Settings of the beginnings and ends of trips. A device without a value has that of its account, or else the default. */
@RecordType('What decides where trips begin and end. A device without a value has that of its account.')
export class TripSettings {
  @Writable(() => Reporter, 'The kind of device, from which the settings follow that have no value.', {
    nullable: true,
    rule: ANY,
    option: '--reporter <kind>',
  })
  readonly reporter!: Reporter | null;

  @Writable(() => Int, 'A vehicle that stands for this many seconds has ended its trip; 300 by default.', {
    nullable: true,
    rule: numberFrom(30, DAY),
    option: '--stop <seconds>',
  })
  readonly stop_seconds!: number | null;

  @Writable(
    () => Int,
    'A time without positions of this many seconds ends a trip. By default 900, or three times the usual time between ' +
      'positions, up to 3,600.',
    {
      nullable: true,
      optionDescription: 'A time without positions of this many seconds ends a trip; 900 by default.',
      rule: numberFrom(30, DAY),
      option: '--gap <seconds>',
    },
  )
  readonly gap_seconds!: number | null;

  @Writable(
    () => Int,
    'A vehicle that stands for this many seconds with its ignition off has ended its trip; 60 by default.',
    { nullable: true, rule: numberFrom(0, DAY), option: '--ignition-off <seconds>' },
  )
  readonly ignition_off_seconds!: number | null;

  @Writable(() => Int, 'Positions at most this many meters apart are those of a vehicle that stands; 75 by default.', {
    nullable: true,
    rule: numberFrom(1, 1000),
    option: '--movement <meters>',
  })
  readonly movement_meters!: number | null;

  @Writable(() => Int, 'A trip leads at least this many meters from its beginning; 200 by default.', {
    nullable: true,
    rule: numberFrom(0, 10_000),
    option: '--minimum-distance <meters>',
  })
  readonly minimum_meters!: number | null;

  @Writable(() => Int, 'A trip takes at least this many seconds; 60 by default.', {
    nullable: true,
    rule: numberFrom(0, DAY),
    option: '--minimum-time <seconds>',
  })
  readonly minimum_seconds!: number | null;

  @Writable(
    () => Int,
    'Positions between which a vehicle would have driven faster, in kilometers per hour, are jumps; 300 by default.',
    { nullable: true, rule: numberFrom(50, 100_000), option: '--maximum-speed <km/h>' },
  )
  readonly maximum_kmh!: number | null;

  @Writable(
    () => Boolean,
    'True if the ignition is always believed, false if it never is. By default it is believed in trips in which it was on, and ' +
      'never off while the vehicle moved.',
    {
      nullable: true,
      optionDescription: 'true to always believe the ignition, false never to',
      rule: ANY,
      option: '--ignition-trusted <boolean>',
    },
  )
  readonly ignition_trusted!: boolean | null;

  @Writable(
    () => Int,
    'A position with an accuracy of more meters than this is stored with a mark, and has no place; 200 by default.',
    { nullable: true, rule: numberFrom(1, 100_000), option: '--accuracy <meters>' },
  )
  readonly accuracy_meters!: number | null;
}

/** Settings to change. */
@WritableInput({ description: 'The settings to change. Omitted ones stay unchanged; null restores the default.' })
export class TripSettingsInput extends inputOf(TripSettings) {}
