import { type Extract, jsonOf, member } from '../answer.ts';
import type { Called, Comparison } from '../comparison.ts';
import { CALLBACK, FILES } from '../seed.ts';

const PASSWORD = 'another password of compared data';

/** The command line: the help of every command, every command with `--json` and without, and calls that do not fit. */
export async function commandsEndpoint(comparison: Comparison): Promise<void> {
  const commands = await helps(comparison, []);
  for (const command of commands) await comparison.run({ args: [...command, '--nothing'] });
  for (const command of commands.filter(([name]) => name !== 'serve'))
    await comparison.run({ args: [...command, '--json'], settings: { DATA_DIR: './nothing' } });
  for (const line of LINES) await comparison.run(calledBy(line));
}

/** Asks for the help of a command and of all below it; answers those that have none below. */
async function helps(comparison: Comparison, command: readonly string[]): Promise<string[][]> {
  const help = (await comparison.run({ args: [...command, '--help'], isNeeded: true })).get('stdout') ?? '';
  const [, list] = /\nCommands:\n((?: {2}.*\n|\n)+)/.exec(help) ?? [];
  const names = [...(list ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)].map((found) => found[1] ?? '');
  if (names.length === 0) return [[...command]];
  const below: string[][] = [];
  for (const name of names) {
    if (name !== 'help') below.push(...(await helps(comparison, [...command, name])));
  }
  return below;
}

/** A line of the list: what is called, what is kept of the answer, and what is sent to standard input. */
interface Line {
  readonly line: string;
  readonly keep?: Readonly<Record<string, Extract>>;
  readonly stdin?: string;
}

/** Names whose values are words of a line: `$name`. Of a text with blanks, `_` stands for a blank. */
function calledBy({ line, keep, stdin }: Line): Called {
  const args = line.split(' ').map((word) => word.replace(/^\$(\w+)$/, '{{$1}}').replaceAll('_~', ' '));
  return { args, ...(keep && { keep, isNeeded: true }), ...(stdin !== undefined && { stdin }) };
}

const idOfList =
  (list: string): Extract =>
  (answer) => {
    const all = (jsonOf(answer) as Readonly<Record<string, readonly { readonly uuid?: string }[]>> | undefined)?.[list];
    return all?.at(-1)?.uuid;
  };

const LINES: readonly Line[] = [
  { line: 'account add --nickname Made --json', keep: { made_account: member('key') } },
  { line: 'account add --nickname Made' },
  { line: 'account add --nickname Made --plan golden --json' },
  { line: 'account add --nickname Made --email made@example.com --password-stdin --json', stdin: PASSWORD },
  { line: 'account add --nickname Made --email made@example.com --password-stdin --json', stdin: PASSWORD },
  { line: 'account add --nickname Made --email other@example.com --password-stdin --json', stdin: 'short' },
  {
    line: 'user add --account $account --email person@example.com --password-stdin --json',
    stdin: PASSWORD,
    keep: { made_user: member('key') },
  },
  { line: 'user add --account $account --email person@example.com --password-stdin', stdin: PASSWORD },
  { line: 'user add --account unknown --email b@example.com --password-stdin --json', stdin: PASSWORD },
  { line: 'user set-password $made_user --password-stdin --json', stdin: `${PASSWORD}!` },
  { line: 'setup-link --json' },
  { line: 'user reset-link $made_user --json' },
  { line: 'user reset-link $made_user' },
  { line: 'user disable $made_user --json' },
  { line: 'user enable $made_user --json' },
  { line: 'user enable unknown --json' },
  { line: 'api-key add --account $account --json', keep: { cli_api_key: member('key') } },
  { line: 'api-key add --account unknown --json' },
  { line: 'api-key show $cli_api_key --json' },
  { line: 'api-key update $cli_api_key --name Books --json' },
  { line: 'api-key remove $cli_api_key --json' },
  { line: 'api-key remove unknown --json' },
  {
    line: `app add --account $account --name Made --redirect-uri ${CALLBACK} --json`,
    keep: { cli_app: member('client_id') },
  },
  { line: 'app add --account $account --name Made --redirect-uri http://elsewhere.example --json' },
  { line: 'app approve $cli_app --scope account.manage --json' },
  { line: 'app approve $cli_app --scope nothing --json' },
  { line: 'app update $cli_app --require-pkce false --json' },
  { line: 'app rotate-secret $cli_app --json' },
  { line: 'oauth-token issue --app $cli_app --user $owner --json' },
  { line: 'oauth-token issue --app $cli_app --user unknown --json' },
  { line: 'grant list --account $account --json', keep: { cli_grant: member('nodes', 0, 'key') } },
  { line: 'grant list --account $account' },
  { line: 'grant remove $cli_grant --json' },
  { line: 'app remove $cli_app --json' },
  { line: 'app remove $cli_app' },
  { line: 'group add --account $account --name Made --json', keep: { cli_group: member('key') } },
  { line: 'group update $cli_group --name Renamed --active false --json' },
  {
    line: 'vehicle add --account $account --nickname Made --group $north --json',
    keep: { cli_vehicle: member('key') },
  },
  { line: 'vehicle update $cli_vehicle --group $south --json' },
  {
    line: 'device add --account $account --serial MADE-1 --vehicle $cli_vehicle --json',
    keep: { cli_device: member('key') },
  },
  { line: 'device add --account $account --serial made-1 --json' },
  { line: 'device-key add --device $cli_device --json', keep: { cli_device_key: member('key') } },
  { line: 'device-key list --device $cli_device --json' },
  { line: 'device-key list --device $cli_device' },
  { line: 'device-key remove $cli_device_key --json' },
  { line: 'forwarder-key add --account $account --json' },
  { line: 'forwarder-key list --account $account --json' },
  { line: 'forwarder-key remove unknown --json' },
  { line: 'subscription add --account $account --plan Made --json', keep: { cli_subscription: member('key') } },
  { line: 'subscription update $cli_subscription --status canceled --json' },
  { line: 'subscription remove $cli_subscription --json' },
  { line: `trips import ${FILES.gpx} --vehicle $cli_vehicle --json` },
  { line: `trips import ${FILES.gpx} --vehicle $cli_vehicle` },
  { line: `trips import ${FILES.csv} --vehicle $spare --json` },
  { line: `trips import ${FILES.geojson} --vehicle $spare --json` },
  { line: `trips import ${FILES.ndjson} --vehicle $spare --map time=start coordinates=coordinates --interval 15` },
  { line: `trips import ${FILES.broken} --vehicle $spare --json` },
  { line: `trips import files/missing.gpx --vehicle $spare --json` },
  { line: `trips import ${FILES.gpx} --vehicle unknown --json` },
  { line: `trips import ${FILES.gpx} --json` },
  { line: 'trips export $van_trip --format gpx' },
  { line: 'trips export $van_trip --format geojson files/out.geojson --json' },
  { line: 'trips export unknown --format gpx --json' },
  {
    line: 'privacy-zone add --account $account --lat 53.2 --lon 8.9 --radius 100 --trips hide --json',
    keep: { cli_zone: member('key') },
  },
  { line: 'privacy-zone add --account $account --lat 99 --lon 8.9 --radius 100 --json' },
  { line: 'privacy-zone update $cli_zone --radius 200 --json' },
  { line: 'privacy-zone list --account $account --json' },
  { line: 'privacy-zone list --account $account' },
  { line: 'privacy-zone remove $cli_zone --json' },
  { line: 'token issue --vehicle $van --origin https://www.example.com --json' },
  { line: 'token issue --vehicle $van --origin http://www.example.com --json' },
  { line: 'token issue --vehicle unknown --origin https://www.example.com' },
  { line: 'content user add --username made_by_command --email command@example.com --role author --json' },
  { line: 'content user add --username author --email twice@example.com --role author --json' },
  { line: 'content user list' },
  { line: 'content password add --username author --json' },
  { line: 'content user list --json', keep: { cli_uuid: idOfList('users') } },
  { line: 'content password remove --username author --json' },
  { line: 'content events --json' },
  { line: 'content events' },
  { line: 'content export files/again.json --json' },
  { line: `content import ${FILES.content} --replace --json` },
  { line: `content import ${FILES.content} --json` },
  { line: 'content import files/missing.json --json' },
  { line: 'audit list --json' },
  { line: 'audit list --account $account --first 5' },
  { line: 'audit list --first 0 --json' },
  { line: 'keys rotate --json' },
  { line: 'keys rotate --immediately' },
  { line: 'migrate --status --json' },
  { line: 'migrate --status' },
  { line: 'migrate --dry-run --json' },
  { line: 'migrate --json' },
  { line: 'check --json' },
  { line: 'check' },
  { line: 'backup files/backup.db --json' },
  { line: 'backup files/backup.db --json' },
  { line: 'restore files/backup.db --json' },
  { line: 'restore files/missing.db --json' },
  { line: 'nothing' },
  { line: 'acount create' },
  { line: 'account' },
  { line: 'help trips' },
];
