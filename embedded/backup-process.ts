/**
 * Process of a scheduled backup, beside the service and with a lower priority: `backup-process.js DATABASE COPY`.
 *
 * @module
 */
import { constants, setPriority } from 'node:os';

import { backupEmbeddedDatabase } from './backup.ts';
import { messageOf } from './bson/mongo-error.ts';

const [file = '', to = ''] = process.argv.slice(2);
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
backupEmbeddedDatabase(file, to).catch((error: unknown) => {
  process.stderr.write(messageOf(error));
  process.exitCode = 1;
});
