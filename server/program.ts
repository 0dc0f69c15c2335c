import { Command } from 'commander';

import { addAccountCommands } from './commands/account.ts';
import { addApiKeyCommands } from './commands/api-key.ts';
import { addAppCommands } from './commands/app.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCheckCommand } from './commands/check.ts';
import { addContentCommands } from './commands/content.ts';
import { addDeviceCommands } from './commands/device.ts';
import { addGrantCommands } from './commands/grant.ts';
import { addGroupCommands } from './commands/group.ts';
import { addIngestKeyCommands } from './commands/ingest-key.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addPrivacyZoneCommands } from './commands/privacy-zone.ts';
import { usageSentence } from './command-line/report-failure.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSimulateCommand } from './commands/simulate.ts';
import { addSubscriptionCommands } from './commands/subscription.ts';
import { addTokenCommands } from './commands/token.ts';
import { addTripsCommands } from './commands/trips.ts';
import { addUserCommands } from './commands/user.ts';
import { addVehicleCommands } from './commands/vehicle.ts';

const ABOUT =
  'Vehicle telemetry: accounts, devices, groups and trips over GraphQL and REST, and a trip map for web pages.\n\n' +
  'Settings are environment variables, listed by "waybridge serve --help". Commands can be run while the service is ' +
  'running with the same settings.';

/** Functions that each add a command, or a group of commands, in the order of the help. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  addServeCommand,
  addAccountCommands,
  addUserCommands,
  addApiKeyCommands,
  addAppCommands,
  addGrantCommands,
  addVehicleCommands,
  addDeviceCommands,
  addIngestKeyCommands,
  addSubscriptionCommands,
  addGroupCommands,
  addTripsCommands,
  addSimulateCommand,
  addPrivacyZoneCommands,
  addTokenCommands,
  addContentCommands,
  addAuditCommands,
  addBackupCommands,
  addCheckCommand,
  addMigrateCommand,
  addKeyCommands,
];

/** The command line. It throws a CommanderError where a call does not fit, and never ends the process by itself. */
export function createProgram(): Command {
  const program = new Command('waybridge')
    .description(ABOUT)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageSentence(text)) })
    .showSuggestionAfterError();
  for (const add of COMMANDS) add(program);
  return program;
}
