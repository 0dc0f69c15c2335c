import { Field, Int } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';
import { connectionOf } from '../page.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** Outcomes for positions that are not believed. */
export const IngestOutcome = closedList('IngestOutcome', 'What becomes of a position that is not believed.', {
  rejected: 'It is not stored, and lost unless it is sent again after a correction.',
  omitted: 'It is not stored, since it adds nothing.',
  marked:
    'It is stored with a mark: its time, events and readings count. Its place does not, unless only its time, its ' +
    'speed or its odometer is marked.',
});

type Outcome = keyof typeof IngestOutcome;

/** Reasons for which positions and messages are not stored, or stored with a mark, each with its meaning and advice. */
export const REJECTIONS = {
  malformed: {
    outcome: 'rejected',
    text: 'A value is missing or wrong.',
    advice: 'Correct what the detail names, in the settings of the device or of what forwards for it.',
  },
  future: {
    outcome: 'rejected',
    text: 'The time is more than 5 minutes ahead.',
    advice: 'Set the clock of the device, and its time zone to UTC.',
  },
  too_old: {
    outcome: 'rejected',
    text: 'The time is more than 1,024 weeks ago.',
    advice: 'Set the clock of the device, or wait until its receiver has a fix.',
  },
  expired: {
    outcome: 'rejected',
    text: 'The position is older than the account keeps positions.',
    advice: 'Keep positions for longer (updateRetention), or send them earlier.',
  },
  unknown_device: {
    outcome: 'rejected',
    text: 'No device of the account has the serial.',
    advice: 'Add a device with this serial, or correct the serial at the sender.',
  },
  no_vehicle: {
    outcome: 'rejected',
    text: 'The device is not assigned to a vehicle.',
    advice: 'Assign the device to a vehicle.',
  },
  encrypted: {
    outcome: 'rejected',
    text: 'The message is encrypted.',
    advice: 'Remove the encryption key from the settings of the app; TLS protects the message.',
  },
  ignored_kind: {
    outcome: 'omitted',
    text: 'The message is of a kind without positions or alarms.',
    advice: 'Nothing has to be done.',
  },
  same_time: {
    outcome: 'omitted',
    text: 'Another position at another place has the same time.',
    advice: 'Send times with milliseconds.',
  },
  invalid: {
    outcome: 'marked',
    text: 'The receiver has no fix, or reports latitude and longitude 0.',
    advice: 'If this lasts under the open sky, check the antenna.',
  },
  inaccurate: {
    outcome: 'marked',
    text: 'The accuracy is worse than the limit.',
    advice: 'Let the app use precise locations; positions from cell towers are not used for trips.',
  },
  stale: {
    outcome: 'marked',
    text: 'The message repeats a fix that is older than the message.',
    advice: 'If this lasts under the open sky, check the antenna.',
  },
  time_corrected: {
    outcome: 'marked',
    text: 'The receiver has miscounted the weeks of GPS; the time was corrected.',
    advice: 'Update the firmware of the device.',
  },
  jump: {
    outcome: 'marked',
    text: 'The position is too far from those around it.',
    advice: 'If this happens often, check the antenna and the settings for positions from cell towers.',
  },
  speed: {
    outcome: 'marked',
    text: 'The speed is much higher than the way between the positions allows.',
    advice: 'Nothing has to be done: the place counts, and the speed does not.',
  },
  odometer: {
    outcome: 'marked',
    text: 'The odometer cannot have been driven to since the reading before.',
    advice: 'If the instrument was reset or replaced, nothing has to be done: three readings that agree are believed.',
  },
} as const satisfies Record<string, { readonly outcome: Outcome; readonly text: string; readonly advice: string }>;

type Reasons = typeof REJECTIONS;

const TEXTS = Object.fromEntries(Object.entries(REJECTIONS).map(([reason, { text }]) => [reason, text]));

/** Reasons of rejections. */
export const RejectionReason = closedList(
  'RejectionReason',
  'Why a position is not stored, or stored with a mark.',
  TEXTS as Record<keyof Reasons, string>,
);

/** One of {@link RejectionReason}. */
export type RejectionReason = keyof Reasons;

/** Ways on which positions come: own format, the same for several devices, formats of others, and recording itself. */
export const IngestPath = closedList('IngestPath', 'The way on which a position came.', {
  points: '`points` of one device.',
  batch: 'A `batch` of several devices.',
  traccar: 'Forwarded by Traccar.',
  owntracks: 'Sent by OwnTracks.',
  osmand: 'Sent by OsmAnd or Traccar Client.',
  overland: 'Sent by Overland.',
  recording: 'Compared with other positions of the device.',
});

/** One of {@link IngestPath}. */
export type IngestPath = keyof typeof IngestPath;

/** Positions of a device, or of an unknown serial, that were not believed for one reason. */
@RecordType(
  'Positions of a device, or of an unknown serial, that were not stored, or stored with a mark, for one reason.',
)
export class IngestRejection {
  @Field(() => String, { description: 'Key of the rejection.' })
  readonly key!: string;

  @Field(() => RejectionReason, { description: 'Why.' })
  readonly reason!: RejectionReason;

  @Field(() => IngestOutcome, { description: 'What became of them.' })
  readonly outcome!: Outcome;

  @Field(() => String, { description: 'The reason in the words of the last answer.' })
  readonly detail!: string;

  @Field(() => String, { description: 'What to do.' })
  readonly advice!: string;

  @Field(() => IngestPath, { description: 'The way on which the last one came.' })
  readonly path!: IngestPath;

  @Field(() => Int, { description: 'Number of positions, or of messages without any.' })
  readonly count!: number;

  @Field(() => DateTime, { description: 'When the first one came.' })
  readonly first_received!: Date;

  @Field(() => DateTime, { description: 'When the last one came.' })
  readonly last_received!: Date;

  @Field(() => DateTime, { description: 'When the first one came.', deprecationReason: 'Use `first_received`.' })
  readonly first!: Date;

  @Field(() => DateTime, { description: 'When the last one came.', deprecationReason: 'Use `last_received`.' })
  readonly last!: Date;

  @NullableField(() => String, 'The last one, shortened, without credentials.')
  readonly sample!: string | null;

  @NullableField(() => String, 'Key of the device; null if no device has the serial.')
  readonly device_key!: string | null;

  @NullableField(() => String, 'The unknown serial; null if it is the device that counts.')
  readonly serial!: string | null;
}

/** A page of rejections. */
export const IngestRejectionConnection = connectionOf(IngestRejection, 'IngestRejection');
