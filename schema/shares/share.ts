import { Field, InputType, Int, ObjectType } from 'type-graphql';

import { DateTime, ISO8601DateTime, SpacedDateTime } from '../date-time-scalars.ts';
import { connectionOf } from '../page.ts';

/** A link to a page on which anybody sees where a vehicle is, or one trip, for a time. */
@ObjectType({
  simpleResolvers: true,
  description: 'A link to a page that shows a vehicle from its creation on, or one trip, to whoever has the link.',
})
export class Share {
  @Field(() => String, { description: 'Unique share key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => String, { nullable: true, description: 'Key of the one trip that is shown; null where all are.' })
  readonly trip_key!: string | null;

  @Field(() => DateTime, { description: 'When the link ends, ISO 8601 with offset.' })
  readonly expires!: Date;

  @Field(() => Boolean, { description: 'Whether the link ends with the trip, if that is before `expires`.' })
  readonly ends_with_trip!: boolean;

  @Field(() => Int, { defaultValue: 0, description: 'How often the page or an image of it was opened.' })
  readonly opened_count!: number;

  @Field(() => DateTime, { nullable: true, description: 'When one of them was last opened; null if never.' })
  readonly last_opened!: Date | null;

  @Field(() => SpacedDateTime, { description: 'When the link was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When it was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** A page of shares. */
export const ShareConnection = connectionOf(Share, 'Share');

/** A share with the only showing of its link. */
@ObjectType({ simpleResolvers: true, description: 'A share with the only showing of its link.' })
export class IssuedShare extends Share {
  @Field(() => String, { description: 'Address of the page. It is shown this once.' })
  readonly url!: string;
}

/** The end of a share. */
@InputType({ description: 'The end of a share; a field left out stays as it is.' })
export class ShareEndInput {
  @Field(() => ISO8601DateTime, { nullable: true, description: 'When the link ends (ISO 8601, GMT unless stated).' })
  readonly expires?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the link ends with its trip, if that is before.' })
  readonly ends_with_trip?: boolean | null;
}

/** A vehicle or trip to share, and the end of the share. */
@InputType({
  description:
    'A vehicle or a trip to share, and the end of the share. `expires` may be left out beside `ends_with_trip`, and is a week later then.',
})
export class ShareInput extends ShareEndInput {
  @Field(() => String, { nullable: true, description: 'The vehicle to share.' })
  readonly vehicle_key?: string | null;

  @Field(() => String, { nullable: true, description: 'In place of `vehicle_key`: the trip to share.' })
  readonly trip_key?: string | null;
}
