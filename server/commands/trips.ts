import type { Command } from 'commander';

import { addTripsExport } from './trips-export.ts';
import { addTripsImport } from './trips-import.ts';

/** `trips import` and `trips export` */
export function addTripsCommands(program: Command): void {
  const group = program.command('trips').description('Recorded trips');
  addTripsImport(group);
  addTripsExport(group);
}
