import { Field, Float, InputType } from 'type-graphql';

import { RecordType } from '../field-decorators.ts';

/** A position on the ground. */
@RecordType('A position on the ground (WGS 84).')
export class GeoPoint {
  @Field(() => Float, { description: 'Latitude in degrees, north is positive.' })
  readonly lat!: number;

  @Field(() => Float, { description: 'Longitude in degrees, east is positive.' })
  readonly lon!: number;
}

/** A position on the ground, as an argument. */
@InputType({ description: 'A position on the ground (WGS 84).' })
export class GeoPointInput {
  @Field(() => Float, { description: 'Latitude in degrees, -90 to 90.' })
  readonly lat!: number;

  @Field(() => Float, { description: 'Longitude in degrees, -180 to 180.' })
  readonly lon!: number;
}
