import { Field, Float, ObjectType } from 'type-graphql';

/** A position on the ground. */
@ObjectType({ simpleResolvers: true, description: 'A position on the ground (WGS 84).' })
export class GeoPoint {
  @Field(() => Float, { description: 'Latitude in degrees, north is positive.' })
  readonly lat!: number;

  @Field(() => Float, { description: 'Longitude in degrees, east is positive.' })
  readonly lon!: number;
}
