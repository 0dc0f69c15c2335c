import type { Command } from 'commander';

import { readConfig } from '../../server/configuration/config.ts';
import { makeDataFolder } from '../../server/database/data-folder.ts';
import type { StoredMap } from '../../server/maps/map-folder.ts';

import { CommandError } from '../shell/command-error.ts';
import { command, type Texts } from '../shell/operator-command.ts';

/** `map add|list|show|remove`: the maps that the service draws below trips. */
export function addMapCommands(program: Command): void {
  const group = program
    .command('map')
    .description('Maps drawn by pages of the service and by pages with its component');

  command(group, 'add', 'Add vector tiles in the Protomaps scheme; the service shows them without a restart')
    .example('map add firenze.pmtiles')
    .argument('<file>', 'PMTiles archive, for example one that `pmtiles extract` made')
    .option('--name <name>', 'name in addresses: lower-case letters, digits and hyphens (default: that of the file)')
    .prints(async ({ name }: Texts<never, 'name'>, file) => {
      const { addMap } = await import('../../server/maps/map-folder.ts');
      const { dataDir } = readConfig(process.env);
      await makeDataFolder(dataDir);
      const map = await addMap(await folder(), file, name).catch((error: Error) => {
        throw new CommandError(error.message, { cause: error });
      });
      return { title: 'Map added', json: jsonOf(map), quiet: [map.name] };
    });

  command(group, 'list', 'List the maps')
    .example('map list --json')
    .prints(async () => {
      const { listMaps } = await import('../../server/maps/map-folder.ts');
      const maps = (await listMaps(await folder())).map(jsonOf);
      const rows = maps.map(({ name, bounds, max_zoom }) => [name, bounds.join(', '), String(max_zoom)]);
      return {
        title: maps.length === 0 ? 'There are no maps: pages draw the plain map. Add one with `map add`.' : 'Maps',
        json: { maps },
        table: { columns: ['name', 'bounds', 'max_zoom'], rows },
        quiet: maps.map(({ name }) => name),
      };
    });

  command(group, 'show', 'Show a map')
    .example('map show firenze')
    .argument('<name>', 'name of the map')
    .prints(async (_options, name) => {
      const { findMap } = await import('../../server/maps/map-folder.ts');
      const map = await findMap(await folder(), name);
      if (map === null) throw noMap(name);
      return { title: 'Map', json: jsonOf(map), quiet: [name] };
    });

  command(group, 'remove', 'Remove a map')
    .example('map remove firenze')
    .argument('<name>', 'name of the map')
    .prints(async (_options, name) => {
      const { removeMap } = await import('../../server/maps/map-folder.ts');
      if (!(await removeMap(await folder(), name))) throw noMap(name);
      return { title: 'Map removed', json: { name } };
    });
}

function noMap(name: string): CommandError {
  return new CommandError(`There is no map "${name}": see \`map list\``);
}

async function folder(): Promise<string> {
  const { mapFolder } = await import('../../server/maps/map-folder.ts');
  return mapFolder(readConfig(process.env).dataDir);
}

function jsonOf({ name, bounds, minZoom, maxZoom }: StoredMap) {
  return { name, bounds, min_zoom: minZoom, max_zoom: maxZoom };
}
