import { Field, Float, Int } from 'type-graphql';

import { RecordType } from '../field-decorators.ts';

/** The geometry of a trip for drawing. */
@RecordType('The geometry of a trip, for drawing.')
export class TripPath {
  @Field(() => Int, { description: 'Decimals kept of each coordinate in `points`.' })
  readonly precision!: number;

  @Field(() => String, { description: "Google's encoded polyline, latitude first." })
  readonly points!: string;

  @Field(() => Int, { description: 'Number of positions in `points`.' })
  readonly point_count!: number;

  @Field(() => [Float], {
    name: 'bounding_box',
    simple: false,
    description: 'West, south, east, north of `points` in degrees; west is greater than east across the antimeridian.',
  })
  readonly bbox!: readonly number[];

  @Field(() => [Int], {
    description:
      'Indexes of the positions in `points`, from 0, before which the line is interrupted, because a privacy ' +
      'zone hides what lies between.',
  })
  readonly breaks!: number[];

  @Field(() => [Int], {
    description:
      'Indexes of the positions in `points` that follow a gap in the recording (`gaps` of the trip, at most ' +
      'the thousand longest): the way from the previous position is not known.',
  })
  readonly gaps!: readonly number[];
}
