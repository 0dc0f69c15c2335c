import { remove, type Resource, show } from '../shell/resource.ts';

/** `import` */
export const TRIP_IMPORT: Resource = {
  name: 'import',
  description: 'Imports of files that were sent to the service',
  columns: ['key', 'vehicle_key', 'status', 'bytes_read', 'bytes_total', 'trip_count', 'error'],
  commands: [
    show('tripImport', 'Show an import, with its progress and outcome'),
    remove('cancelTripImport', 'Cancel an import that is running', { done: 'canceled' }),
  ],
};
