import type { ParameterTable } from '../parameter.ts';

/** `GET /pum/v1/analytics`. Neither is checked: what is unknown is answered like the known, and not counted. */
export const ANALYTICS = {
  event: { type: 'string', description: 'Event Type', required: true, unchecked: true },
  pid: { type: 'integer', description: 'Popup ID', required: true, unchecked: true },
} as const satisfies ParameterTable;
