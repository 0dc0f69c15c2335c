import { type ChangeKind, MAX_WAIT_SECONDS } from '../schema/changes/change.ts';

import type { AllFields, RestRoute } from './rest-table.ts';

/** Records of the log, without geometry and groups below. */
const RECORDS = {
  device: {},
  event: {},
  group: { without: ['children', 'member_counts'] },
  place: {},
  privacy_zone: {},
  tag: {},
  trip: {
    without: ['encoded_polyline'],
    with: 'user { key first_name last_name } vehicle { key nickname } tags { key color value }',
  },
  user: {},
  vehicle: {},
  visit: {},
} satisfies Readonly<Record<ChangeKind, AllFields>>;

/** The log of changes: each entry has the record of its kind, if it exists. */
export const changesRoute: RestRoute = {
  query: 'changes',
  root: 'changes',
  wait: { argument: 'wait', max: MAX_WAIT_SECONDS },
  limits: { wait: { minimum: 0, maximum: MAX_WAIT_SECONDS } },
  expand: RECORDS,
  expandsAll: true,
  oneOfExpand: true,
};
