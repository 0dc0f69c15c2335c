import { Field } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { connectionOf } from '../page.ts';
import { DateTime } from '../date-time-scalars.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** States of a visit. */
export const VisitStatus = closedList('VisitStatus', 'Status of a visit.', {
  open: 'The vehicle is in the place, or in its border.',
  closed: 'The vehicle has left the place.',
});

/** One of {@link VisitStatus}. */
export type VisitStatus = keyof typeof VisitStatus;

/** A stay of a vehicle in a place, from its first position in the area to the first one outside by which it has left. */
@RecordType('A visit of a vehicle to a place.')
export class Visit {
  @Field(() => String, { description: 'Key of the visit, derived from vehicle, device, place and entry.' })
  readonly key!: string;

  @Field(() => String, { description: 'Key of the place.' })
  readonly place_key!: string;

  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @NullableField(() => String, 'Key of the driver when the visit began; null if not known.')
  readonly driver_key!: string | null;

  @Field(() => DateTime, {
    description:
      'Time of the first position in the place; of a vehicle that was already there, the creation or move of the place.',
  })
  readonly entry_timestamp!: Date;

  @NullableField(
    () => DateTime,
    'Time of the first position outside the place, once the vehicle has left it; null until then.',
  )
  readonly exit_timestamp!: Date | null;

  @Field(() => VisitStatus, { description: 'Status of the visit.' })
  readonly status!: VisitStatus;
}

/** A page of visits. */
export const VisitConnection = connectionOf(Visit, 'Visit');
