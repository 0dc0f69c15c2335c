import { Field, Int } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime, SpacedDateTime } from '../date-time-scalars.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** States of an import. */
export const TripImportStatus = closedList('TripImportStatus', 'The state of an import.', {
  running: 'The file is being read.',
  canceling: 'The import was canceled, and will end as canceled, or as succeeded if it was too late.',
  succeeded: 'All trips of the file are visible.',
  failed: 'The file could not be read to its end: nothing of it was imported.',
  canceled: 'Nothing of the file was imported.',
  interrupted: 'The service was stopped: either all trips of the file are visible, or none. Send the file again.',
});

/** One of {@link TripImportStatus}. */
export type TripImportStatus = keyof typeof TripImportStatus;

/** A kind of implausible data in an imported file. */
@RecordType('A kind of implausible data in an imported file.')
export class TripImportFault {
  @Field(() => String, { description: 'Name of the kind, such as `repeated_time`.' })
  readonly kind!: string;

  @Field(() => String, { description: 'Description for people, as the end of a sentence.' })
  readonly description!: string;

  @Field(() => Int, { description: 'Number of places with this fault.' })
  readonly count!: number;

  @Field(() => Int, { description: 'Number of trips with this fault; 0 for data that belongs to no trip.' })
  readonly trip_count!: number;

  @Field(() => Int, { description: 'Line of the first one.' })
  readonly line!: number;
}

/** An import of a file of recorded trips, kept for 30 days. */
@RecordType('An import of a file of recorded trips. It is kept for 30 days.')
export class TripImport {
  @Field(() => String, { description: 'Unique import key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => TripImportStatus, { description: 'The state of the import.' })
  readonly status!: TripImportStatus;

  @Field(() => Int, { description: 'Size of the file, in bytes.' })
  readonly bytes_total!: number;

  @Field(() => Int, { description: 'Bytes that have been read.' })
  readonly bytes_read!: number;

  @Field(() => Int, { description: 'Trips in the file, as far as it has been read.' })
  readonly trip_count!: number;

  @Field(() => Int, { description: 'Trips that the vehicle did not have; 0 until the import has ended.' })
  readonly created_count!: number;

  @Field(() => Int, { description: 'Positions of the trips; 0 until the import has ended.' })
  readonly point_count!: number;

  @Field(() => [TripImportFault], { description: 'Implausible data in the file, once the import has ended.' })
  readonly faults!: TripImportFault[];

  @NullableField(() => String, 'Why the import failed, with line and column if there is a place; null if it did not.')
  readonly error!: string | null;

  @Field(() => SpacedDateTime, { description: 'When the import was started, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @NullableField(() => DateTime, 'When the import ended, ISO 8601 with offset; null if it did not.')
  readonly ended!: Date | null;
}
