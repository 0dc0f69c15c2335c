import { Field, Float, InputType, Int, ObjectType } from 'type-graphql';

import { SpacedDateTime } from '../date-time-scalars.ts';
import { connectionOf } from '../page.ts';

/** Minimum of `silent_minutes`: a device that sends less often counts as disconnected anyway. */
export const MIN_SILENT_MINUTES = 15;

const DESCRIPTIONS = {
  name: 'Name of the rule, 1 to 255 characters.',
  speed_limit: 'Speed above which positions create `trip_over_speeding`, in miles per hour; null for a silence rule.',
  silent_minutes: 'Minutes without a position that create `device_silent`; null for a speed rule.',
  vehicle_keys: 'Keys of the vehicles to which it applies; empty for all vehicles of the account.',
} as const;

/** A condition on positions, whose fulfilment makes events. It holds for positions from its creation on, by their times. */
@ObjectType({ simpleResolvers: true, description: 'A condition on positions that creates events when it is met.' })
export class Rule {
  @Field(() => String, { description: 'Unique rule key.' })
  readonly key!: string;

  @Field(() => String, { description: DESCRIPTIONS.name })
  readonly name!: string;

  @Field(() => Float, { nullable: true, description: DESCRIPTIONS.speed_limit })
  readonly speed_limit!: number | null;

  @Field(() => Int, { nullable: true, description: DESCRIPTIONS.silent_minutes })
  readonly silent_minutes!: number | null;

  @Field(() => [String], { description: DESCRIPTIONS.vehicle_keys })
  readonly vehicle_keys!: string[];

  @Field(() => SpacedDateTime, { description: 'When the rule was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When the rule was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** A page of rules. */
export const RuleConnection = connectionOf(Rule, 'Rule');

/** Fields that make a rule. */
@InputType({ description: 'Fields of a new rule: `speed_limit` or `silent_minutes`, not both.' })
export class RuleInput {
  @Field(() => String, { description: DESCRIPTIONS.name })
  readonly name!: string;

  @Field(() => Float, { nullable: true, description: 'Speed in miles per hour, up to 300.' })
  readonly speed_limit?: number | null;

  @Field(() => Int, { nullable: true, description: `Minutes, ${MIN_SILENT_MINUTES} to 43200.` })
  readonly silent_minutes?: number | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Keys of vehicles, up to 1,000; all vehicles of the account by default.',
  })
  readonly vehicle_keys?: string[] | null;
}

/** Fields of a rule that can be changed. */
@InputType({
  description: 'The fields of a rule that can be changed. The others are fixed, because its events depend on them.',
})
export class RuleNameInput {
  @Field(() => String, { description: DESCRIPTIONS.name })
  readonly name!: string;
}
