import type { Command } from 'commander';

/** The commands that do something, below a command, by their names without that of the program. */
export function leavesOf(command: Command, path: readonly string[] = []): [name: string, command: Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((below) => leavesOf(below, [...path, below.name()]));
}
