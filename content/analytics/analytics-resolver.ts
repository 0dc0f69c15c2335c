import { GraphQLBoolean } from 'graphql';

import { ContentError } from '../schema/content-error.ts';
import type { ParameterTable } from '../schema/parameter.ts';
import { toWholeNumber } from '../schema/php-values.ts';

import { countEvent } from '../models/event-count.ts';
import { rootField, type RootFields, anyone } from '../access/root-field.ts';

/** Parameters of `GET /pum/v1/analytics`. Unknown events and items get the same response, and are not counted. */
const ANALYTICS = {
  event: { type: 'string', description: 'Event Type', required: true },
  pid: { type: 'integer', description: 'Popup ID', required: true, check: () => undefined, convert: toWholeNumber },
} as const satisfies ParameterTable;

/** `/pum/v1/analytics`: counts events of readers. */
export const analyticsResolver: RootFields = {
  queries: {
    analytics: rootField(
      'Counts an event of a published post or page.',
      { returns: GraphQLBoolean, takes: ANALYTICS, permitted: anyone },
      async ({ event, pid }, { service }) => {
        if (pid === 0) throw new ContentError('missing_params', 'Missing Parameters.', 404);
        await countEvent(service, event, pid);
        return true;
      },
    ),
  },
};
