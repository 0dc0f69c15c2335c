import { Command } from 'commander';

import { addAccountCommands, addSetupLinkCommand } from './commands/account.ts';
import { addAppCommands } from './commands/app.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCheckCommand } from './commands/check.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addMapCommands } from './commands/map.ts';
import { addContentCommands } from './content/content.ts';
import { addDeviceCommands } from './commands/device.ts';
import { addIndexesCommand } from './commands/indexes.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOpenapiCommand } from './commands/openapi.ts';
import { addResource, type Resource } from './shell/resource.ts';
import { addSettingOptions } from './shell/setting-options.ts';
import { usageSentence } from '../server/start/report-failure.ts';
import { API_KEY, GRANT } from './records/account.ts';
import {
  DEVICE_KEY,
  CHANGE,
  EVENT,
  FORWARDER_KEY,
  GROUP,
  PLACE,
  PRIVACY_ZONE,
  RULE,
  TAG,
  TRIP_IMPORT,
  VEHICLE,
  VISIT,
} from './records/fleet.ts';
import { SHARE } from './records/share.ts';
import { WEBHOOK } from './records/webhook.ts';
import { packageVersion } from '../http/package-file.ts';
import { addServeCommand } from './commands/serve.ts';
import { addMoveCommand } from './commands/move.ts';
import { addSimulateCommand } from './commands/simulate.ts';
import { addSubscriptionCommands } from './commands/subscription.ts';
import { addTokenCommands } from './commands/token.ts';
import { addTripsCommands } from './trips/trips.ts';
import { addUsageCommand } from './commands/usage.ts';
import { addUserCommands } from './commands/user.ts';

const ABOUT =
  'Vehicle telemetry: accounts, devices, groups and trips over GraphQL and REST, and a trip map for web pages.\n\n' +
  'Settings are environment variables or options, listed by "waybridge serve --help". Commands can be run while the ' +
  'service is running with the same settings.';

/** Resources, and functions that each add a command or a group of commands, in the order of the help. */
const COMMANDS: readonly (Resource | ((program: Command) => void))[] = [
  addServeCommand,
  addSetupLinkCommand,
  addConfigCommand,
  addAccountCommands,
  addUserCommands,
  API_KEY,
  addAppCommands,
  GRANT,
  addSubscriptionCommands,
  VEHICLE,
  addDeviceCommands,
  DEVICE_KEY,
  FORWARDER_KEY,
  GROUP,
  TAG,
  addTripsCommands,
  TRIP_IMPORT,
  CHANGE,
  EVENT,
  RULE,
  PLACE,
  VISIT,
  PRIVACY_ZONE,
  SHARE,
  WEBHOOK,
  addSimulateCommand,
  addTokenCommands,
  addUsageCommand,
  addOpenapiCommand,
  addContentCommands,
  addAuditCommands,
  addBackupCommands,
  addCheckCommand,
  addDoctorCommand,
  addMapCommands,
  addMigrateCommand,
  addMoveCommand,
  addIndexesCommand,
  addKeyCommands,
  addCompletionCommand,
];

/** Verbs of records in the order of the help; others follow. */
const VERBS = ['list', 'show', 'find', 'add', 'update', 'remove', 'restore'];

function inOrder({ parent, commands }: Command): Command[] {
  if (parent === null) return [...commands];
  const place = (command: Command) => (VERBS.indexOf(command.name()) + VERBS.length + 1) % (VERBS.length + 1);
  return commands.toSorted((a, b) => place(a) - place(b));
}

/** The command line. It throws a CommanderError for an invalid call, and never ends the process by itself. */
export function createProgram(): Command {
  const program = new Command('waybridge')
    .description(ABOUT)
    .version(packageVersion(), '--version', 'print the version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageSentence(text)) })
    .configureHelp({ visibleCommands: inOrder })
    .showSuggestionAfterError();
  addSettingOptions(program);
  for (const added of COMMANDS) {
    if (typeof added === 'function') added(program);
    else addResource(program, added);
  }
  return program;
}
