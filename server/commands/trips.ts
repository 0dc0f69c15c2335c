import type { Command } from 'commander';

import { addTripsImport } from './trips-import.ts';

/** `trips import` */
export function addTripsCommands(program: Command): void {
  const group = program.command('trips').description('Recorded trips');
  addTripsImport(group);
}
