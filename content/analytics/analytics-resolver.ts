import { Query, Resolver } from 'type-graphql';

import { ContentError } from '../schema/content-error.ts';
import type { ParametersOf, ParameterTable } from '../schema/parameter.ts';
import { Takes } from '../schema/takes.ts';

import { countEvent } from './count-event.ts';
import { anyone, Permitted } from '../access/permitted.ts';

/** Parameters of `GET /pum/v1/analytics`. Neither is checked: unknown events and items are answered alike, and not counted. */
const ANALYTICS = {
  event: { type: 'string', description: 'Event Type', required: true, unchecked: true },
  pid: { type: 'integer', description: 'Popup ID', required: true, unchecked: true },
} as const satisfies ParameterTable;

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
