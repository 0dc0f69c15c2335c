import { Query, Resolver } from 'type-graphql';

import { ANALYTICS } from '../../schema/content/analytics-parameters.ts';
import { ContentError } from '../../schema/content/content-error.ts';
import type { ParametersOf } from '../../schema/content/parameter.ts';
import { Takes } from '../../schema/content/takes.ts';

import { countEvent } from './analytics/count-event.ts';
import { anyone, Permitted } from './permitted.ts';

/** `/pum/v1/analytics`: counts what readers do. */
@Resolver()
export class AnalyticsResolver {
  @Permitted(anyone)
  @Query(() => Boolean, { description: 'Counts an event of a published post or page.' })
  async analytics(@Takes(ANALYTICS) { event, pid }: ParametersOf<typeof ANALYTICS>): Promise<boolean> {
    const id = Math.abs(Math.trunc(Number.parseFloat(String(pid))));
    if (Number.isNaN(id) || id === 0) throw new ContentError('missing_params', 'Missing Parameters.', 404);
    await countEvent(String(event), id);
    return true;
  }
}
