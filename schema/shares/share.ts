import { Field, InputType, Int } from 'type-graphql';

import { DateTime, SpacedDateTime } from '../date-time-scalars.ts';
import { connectionOf } from '../page.ts';
import { NullableField, RecordType } from '../field-decorators.ts';
import { IssuedToken } from '../account/issued-token.ts';

/** A page origin that may embed a share. */
@RecordType('An origin whose pages may embed a share.')
export class ShareEmbedding {
  @Field(() => String, { description: 'Origin of the pages, such as `https://shop.example`.' })
  readonly origin!: string;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'Number of times that the share was opened in pages of the origin.',
  })
  readonly opened_count!: number;
}

/** Vehicles of a group that a share shows. */
export const MAX_SHARED_VEHICLES = 50;

/** A link to a page that shows the location of a vehicle or of those of a group, or one trip, to anyone for a time. */
@RecordType(
  'A link to a page that shows a vehicle or the vehicles of a group, from the creation of the link on, or one ' +
    'trip, to anyone who has the link.',
)
export class Share {
  @Field(() => String, { description: 'Unique share key.' })
  readonly key!: string;

  @NullableField(() => String, 'Key of the vehicle; null if a group is shared.')
  readonly vehicle_key!: string | null;

  @NullableField(
    () => String,
    `Key of the group whose vehicles are shown, at most ${MAX_SHARED_VEHICLES}; null if a vehicle or a trip is.`,
  )
  readonly group_key!: string | null;

  @NullableField(() => String, 'Key of the only trip that is shown; null if all are.')
  readonly trip_key!: string | null;

  @Field(() => DateTime, { description: 'When the link ends, ISO 8601 with offset.' })
  readonly expires!: Date;

  @Field(() => Boolean, { description: 'True if the link ends with the trip, unless `expires` is earlier.' })
  readonly ends_with_trip!: boolean;

  @Field(() => Int, { defaultValue: 0, description: 'Number of times that the page or its image was opened.' })
  readonly opened_count!: number;

  @NullableField(() => DateTime, 'When the page or its image was last opened; null if never.')
  readonly last_opened!: Date | null;

  @Field(() => [ShareEmbedding], {
    defaultValue: [],
    description: 'The origins whose pages may embed what is shared; none if none may.',
  })
  readonly embeddings!: readonly ShareEmbedding[];

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'True if embedded maps follow the vehicle; otherwise they show ended trips only.',
  })
  readonly embeds_live!: boolean;

  @Field(() => SpacedDateTime, { description: 'When the link was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When the share was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** A page of shares. */
export const ShareConnection = connectionOf(Share, 'Share');

/** A new share with its link, which is shown only once. */
@RecordType('A new share with its link, which is shown only once.')
export class IssuedShare extends Share {
  @Field(() => String, { description: 'Address of the page. Shown only once.' })
  readonly url!: string;

  @NullableField(
    () => String,
    'Address of the page for frames, with `embed_origins`. Shown only once; anyone who sees the page can read it.',
  )
  readonly embed_url!: string | null;
}

/** The end of a share. */
@InputType({ description: 'The writable fields of a share. Omitted fields stay unchanged.' })
export class ShareEndInput {
  @NullableField(() => DateTime, 'When the link ends (ISO 8601, GMT unless stated).')
  readonly expires?: string | null;

  @NullableField(() => Boolean, 'True if the link ends with the trip, unless `expires` is earlier.')
  readonly ends_with_trip?: boolean | null;
}

/** A vehicle, group or trip to share, and the end of the share. */
@InputType({
  description:
    'A vehicle, a group or a trip to share, and the end of the share. With `ends_with_trip`, `expires` can be omitted ' +
    'and defaults to one week.',
})
export class ShareInput extends ShareEndInput {
  @NullableField(() => String, 'The vehicle to share.')
  readonly vehicle_key?: string | null;

  @NullableField(() => String, 'The trip to share, instead of `vehicle_key`.')
  readonly trip_key?: string | null;

  @NullableField(
    () => String,
    `The group whose vehicles to share, at most ${MAX_SHARED_VEHICLES}, instead of \`vehicle_key\`. Vehicles that join ` +
      'or leave the group later appear or disappear.',
  )
  readonly group_key?: string | null;

  @NullableField(
    () => [String],
    'Origins whose pages may embed a map of it, such as `https://shop.example`, at most 20. None by default. For ' +
      'a group, they require `embeds_live`.',
  )
  readonly embed_origins?: readonly string[] | null;

  @NullableField(
    () => Boolean,
    'True if embedded maps follow the vehicle, which requires `expires`; otherwise they show ended trips only.',
  )
  readonly embeds_live?: boolean | null;
}

/** A token for an embedded share, with what it opens. */
@RecordType('A special-purpose token for an embedded share, with what it opens.')
export class RedeemedShare extends IssuedToken {
  @NullableField(() => String, 'Key of the vehicle; null if several of a group are shown.')
  readonly vehicle_key!: string | null;

  @NullableField(() => String, 'Key of the only trip that is shown; null if all are.')
  readonly trip_key!: string | null;
}
