import { Field, Float, Int } from 'type-graphql';

import { DateTime } from '../date-time-scalars.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** A request of an app, without query and body. */
@RecordType('A request that an app has made, without query and body.')
export class AppRequest {
  @Field(() => String, { description: 'The `X-Request-Id` of its answer.' })
  readonly request_id!: string;

  @Field(() => DateTime, { description: 'When it was answered (ISO 8601).' })
  readonly answered!: Date;

  @Field(() => String, { description: 'Its method, such as `GET`.' })
  readonly method!: string;

  @Field(() => String, { description: 'Its path, without query.' })
  readonly path!: string;

  @NullableField(() => String, 'Name of its GraphQL operation; null for other requests and operations without a name.')
  readonly operation!: string | null;

  @Field(() => Int, { description: 'HTTP status of its answer.' })
  readonly status!: number;

  @Field(() => Float, { description: 'What it read, in the unit in which the cost of GraphQL operations is limited.' })
  readonly cost!: number;

  @Field(() => Float, { description: 'Time until it was answered, in milliseconds.' })
  readonly duration!: number;
}
