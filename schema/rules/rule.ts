import { Field, Float, Int } from 'type-graphql';

import { checkName } from '../check-name.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { connectionOf } from '../page.ts';
import { inputOf, Writable, WritableInput } from '../writable.ts';
import { RecordType } from '../field-decorators.ts';

/** Minimum of `silent_minutes`: a device that is silent for this long counts as disconnected anyway. */
export const MIN_SILENT_MINUTES = 15;

/** A condition on positions that creates events when met. It applies to positions from its creation on, by their times. */
@RecordType('A condition on positions that creates events when it is met.')
export class Rule {
  @Field(() => String, { description: 'Unique rule key.' })
  readonly key!: string;

  @Writable(() => String, 'Name of the rule, 1 to 255 characters.', {
    rule: { read: checkName },
    option: '--name <name>',
  })
  readonly name!: string;

  @Writable(
    () => Float,
    'Speed above which positions create `trip_over_speeding`, in miles per hour; null for a silence rule.',
    {
      nullable: true,
      inputDescription: 'Speed in miles per hour, up to 300.',
      option: '--speed-limit <mph>',
      optionDescription: 'speed above which there are events',
      isFixed: true,
    },
  )
  readonly speed_limit!: number | null;

  @Writable(() => Int, 'Minutes without a position that create `device_silent`; null for a speed rule.', {
    nullable: true,
    inputDescription: `Minutes, ${MIN_SILENT_MINUTES} to 43200.`,
    option: '--silent-minutes <n>',
    optionDescription: 'minutes without a position',
    isFixed: true,
  })
  readonly silent_minutes!: number | null;

  @Writable(() => [String], 'Keys of the vehicles to which it applies; empty for all vehicles of the account.', {
    inputDescription: 'Keys of vehicles, up to 1,000; all vehicles of the account by default.',
    option: '--vehicle <key...>',
    optionDescription: 'vehicle to which it applies; may be repeated (default: all)',
    isFixed: true,
  })
  readonly vehicle_keys!: string[];

  @Field(() => SpacedDateTime, { description: 'When the rule was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When the rule was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** A page of rules. */
export const RuleConnection = connectionOf(Rule, 'Rule');

/** Fields for creating a rule. */
@WritableInput({ description: 'Fields of a new rule: `speed_limit` or `silent_minutes`, not both.' })
export class RuleInput extends inputOf(Rule, { isNew: true, nulls: 'ignored' }) {
  readonly name!: string;
}

/** Fields of a rule that can be changed. */
@WritableInput({
  description: 'The fields of a rule that can be changed. The others are fixed, because its events depend on them.',
})
export class RuleNameInput extends inputOf(Rule) {
  @Field(() => String, { description: 'Name of the rule, 1 to 255 characters.' })
  readonly name!: string;
}
