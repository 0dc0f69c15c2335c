import { GraphQLBoolean } from 'graphql';

import { ContentError } from '../schema/content-error.ts';
import type { ParameterTable } from '../schema/parameter.ts';

import { countEvent } from './count-event.ts';
import { anyone } from '../access/permitted.ts';
import { rootField, type RootFields } from '../access/root-field.ts';

/** Parameters of `GET /pum/v1/analytics`. Neither is checked: unknown events and items are answered alike, and not counted. */
const ANALYTICS = {
  event: { type: 'string', description: 'Event Type', required: true, unchecked: true },
  pid: { type: 'integer', description: 'Popup ID', required: true, unchecked: true },
} as const satisfies ParameterTable;

/** `/pum/v1/analytics`: counts what readers do. */
export const analyticsResolver: RootFields = {
  queries: {
    analytics: rootField(
      {
        returns: GraphQLBoolean,
        description: 'Counts an event of a published post or page.',
        takes: ANALYTICS,
        permitted: anyone,
      },
      async ({ event, pid }) => {
        const id = Math.abs(Math.trunc(Number.parseFloat(String(pid))));
        if (Number.isNaN(id) || id === 0) throw new ContentError('missing_params', 'Missing Parameters.', 404);
        await countEvent(String(event), id);
        return true;
      },
    ),
  },
};
