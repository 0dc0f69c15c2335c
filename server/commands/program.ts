import { Command } from 'commander';

import { addAccountCommands } from './account.ts';
import { addApiKeyCommands } from './api-key.ts';
import { addAppCommands } from './app.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addCheckCommand } from './check.ts';
import { addContentCommands } from './content.ts';
import { addDeviceCommands } from './device.ts';
import { addGrantCommands } from './grant.ts';
import { addGroupCommands } from './group.ts';
import { addIngestKeyCommands } from './ingest-key.ts';
import { addKeyCommands } from './keys.ts';
import { addMigrateCommand } from './migrate.ts';
import { addPrivacyZoneCommands } from './privacy-zone.ts';
import { usageSentence } from './report-failure.ts';
import { addServeCommand } from './serve.ts';
import { addSubscriptionCommands } from './subscription.ts';
import { addTokenCommands } from './token.ts';
import { addTripsCommands } from './trips.ts';
import { addUserCommands } from './user.ts';
import { addVehicleCommands } from './vehicle.ts';

const ABOUT =
  'Vehicle telemetry: accounts, devices, groups and trips by GraphQL and REST, and a trip map for pages.\n\n' +
  'Settings are environment variables, which "waybridge serve --help" lists. Commands work beside a running service that ' +
  'has the same settings.';

/** The command line. It throws a CommanderError where a call does not fit, and never ends the process by itself. */
export function createProgram(): Command {
  const program = new Command('waybridge')
    .description(ABOUT)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageSentence(text)) })
    .showSuggestionAfterError();
  addServeCommand(program);
  addAccountCommands(program);
  addUserCommands(program);
  addApiKeyCommands(program);
  addAppCommands(program);
  addGrantCommands(program);
  addVehicleCommands(program);
  addDeviceCommands(program);
  addIngestKeyCommands(program);
  addSubscriptionCommands(program);
  addGroupCommands(program);
  addTripsCommands(program);
  addPrivacyZoneCommands(program);
  addTokenCommands(program);
  addContentCommands(program);
  addAuditCommands(program);
  addBackupCommands(program);
  addCheckCommand(program);
  addMigrateCommand(program);
  addKeyCommands(program);
  return program;
}
