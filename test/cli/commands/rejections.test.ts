import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { runCommand } from '../../processes/run-command.ts';

/** Calls that the help does not describe. */
const WRONG_USAGE: readonly (readonly [command: string, sentence: RegExp])[] = [
  ['account add', /^Required option '--nickname <name>' not specified\n$/],
  ['acount list', /^Unknown command 'acount'; did you mean account\?\n$/],
  ['account ad --nickname A', /^Unknown command 'ad'; did you mean add\?\n$/],
  ['device add --account A --serial S --staus installed', /^Unknown option '--staus'; did you mean --status\?\n$/],
  ['user disable A B', /^Too many arguments for 'disable'/],
  ['group update A --active maybe', /^Option '--active <boolean>' argument 'maybe' is invalid/],
  ['group update A', /^Nothing to change; give --name, --parent, --active\n$/],
  ['user update A --quiet', /^Nothing to change; give --email, --role, --first-name/],
  ['user update A --role king', /^Option '--role <role>' argument 'king' is invalid/],
  ['trips import --vehicle A', /^Missing required argument 'file'\n$/],
  ['trips import a.gpx', /^Give either --vehicle or --account\n$/],
  ['vehicle list --account A --json --quiet', /^Option '--json' cannot be used with option '--quiet'\n$/],
  ['vehicle update A --year new', /^Option '--year <year>' argument 'new' is invalid. It must be a number/],
  ['place add --account A --name P --point 53', /^Option '--point <lat,lon>' argument '53' is invalid/],
  ['user add --account A --password-stdin', /^--password-stdin requires --email\n$/],
  ['simulate', /^Give either --account or --url\n$/],
  [
    'simulate --url https://a.example/ingest',
    /^--url requires --forwarder-key-stdin, or the variable FORWARDER_KEY_SECRET\n$/,
  ],
  ['simulate --url http://a.example --forwarder-key-stdin', /^--url must be an https address\n$/],
  [
    'simulate --account A --every 10',
    /^Option '--every <time>' argument '10' is invalid. It must be a number with a unit/,
  ],
  ['simulate --account A --speed 2', /^--speed above 1 requires --from/],
  ['content user update mara', /^Nothing to change; give --email, --role\n$/],
  ['vehicle list', /^Give --account, or --group\n$/],
  ['nonsense', /^Unknown command 'nonsense'\n$/],
];

test.each(WRONG_USAGE)('wrong usage ends with 2: %s', async (command, sentence) => {
  // No database answers there: wrong usage is found before one is opened.
  const settings = { MONGODB_URI: 'mongodb://127.0.0.1:1/unused' };
  const { code, stdout, stderr } = await runCommand(command.split(' '), settings);
  expect(stderr).toMatch(sentence);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('an e-mail address without a password is wrong usage', async () => {
  const args = ['account', 'add', '--nickname', 'A', '--email', 'a@example.com'];
  const { code, stderr } = await runCommand(args, { DATA_DIR: await temporaryFolder() });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: '--email and --password-stdin belong together; give both or neither\n',
  });
});

/** Commands that fail, with the sentence that says why. */
const REFUSED: readonly (readonly [command: string, sentence: string])[] = [
  ['event list --vehicle nope', 'vehicle must be the key of a vehicle; "nope" does not exist'],
  ['vehicle add --account nope --nickname V', 'account must be the key of an account; "nope" does not exist'],
  ['account update-billing nope --card-type Visa', 'account must be the key of an account; "nope" does not exist'],
  ['account update-billing nope --last-four 42', '--last-four must be 4 digits'],
  ['account update-billing nope --expiration-month 13', '--expiration-month must be a whole number from 1 to 12'],
  ['account update-partner nope --tier-key gold', 'account must be the key of an account; "nope" does not exist'],
  ['api-key add --account nope', 'account must be the key of an account; "nope" does not exist'],
  ['api-key remove nope', 'api-key must be the key of an api-key; "nope" does not exist'],
  ['user disable nope', 'user must be the key of a user; "nope" does not exist'],
  ['user update nope --role viewer', 'user must be the key of a user; "nope" does not exist'],
  ['user list --account nope', 'account must be the key of an account; "nope" does not exist'],
  ['group update nope --clear parent', 'group must be the key of a group; "nope" does not exist'],
  ['vehicle update nope --year 2020', 'vehicle must be the key of a vehicle; "nope" does not exist'],
  ['user enable nope', 'user must be the key of a user; "nope" does not exist'],
  ['user reset-link nope', 'user must be the key of a user; "nope" does not exist'],
  ['audit list --account nope', 'account must be the key of an account; "nope" does not exist'],
  // Keys may begin with a hyphen.
  [
    'vehicle show -kkkkkkkkkkkkkkkkkkkkk',
    'vehicle must be the key of a vehicle; "-kkkkkkkkkkkkkkkkkkkkk" does not exist',
  ],
  [
    'trips export -kkkkkkkkkkkkkkkkkkkkk out.gpx --format gpx',
    'trip must be the key of a trip; "-kkkkkkkkkkkkkkkkkkkkk" does not exist',
  ],
  [
    'device-key list --device -kkkkkkkkkkkkkkkkkkkkk',
    'device must be the key of a device; "-kkkkkkkkkkkkkkkkkkkkk" does not exist',
  ],
  [
    'group apply --member A -kkkkkkkkkkkkkkkkkkkkk --group -kkkkkkkkkkkkkkkkkkkkk --action add --account A',
    'account must be the key of an account; "A" does not exist',
  ],
  ['audit list --first 0', 'first must be 1 to 1000'],
  ['account list --first 0', '--first must be 1 to 1000'],
  ['account find --email nope@example.com', 'No user has this e-mail address'],
  ['audit list --after nope', 'after was not returned by this list for the same parameters'],
  ['group update nope --active true', 'group must be the key of a group; "nope" does not exist'],
  ['trips import a.gpx --vehicle nope', 'vehicle must be the key of a vehicle; "nope" does not exist'],
  [
    'token issue --vehicle nope --origin https://a.example',
    'vehicle must be the key of a vehicle; "nope" does not exist',
  ],
  ['token issue --vehicle V --origin http://a.example', 'Invalid aud: origin must be an https URL'],
  [
    'token issue --vehicle V --origin https://a.example --scope all',
    'Invalid scope: it must be loc-past, loc-past-gte:<timestamp> or loc-past-lt:<timestamp>',
  ],
  ['oauth-token issue --app nope --user U', 'app must be the key of an app (its client_id); "nope" does not exist'],
  ['content user show nope', 'There is no website user nope; content user list shows them'],
  [
    'content user update nope --role king',
    'role must be one of administrator, editor, author, contributor, subscriber',
  ],
  ['content user remove nope --reassign nope', 'There is no website user nope; content user list shows them'],
  ['account add --nickname A --plan gold', 'plan must be one of premium, basic'],
];

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waybridge-'));
  await runCommand(['account', 'add', '--nickname', 'A'], { DATA_DIR: dataDir });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test.each(REFUSED)('a refusal ends with 1 and says why: %s', async (command, sentence) => {
  const { code, stdout, stderr } = await runCommand([...command.split(' '), '--json'], { DATA_DIR: dataDir });
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
});

test.each(['account list', 'vehicle show A', 'account update A --city Bremen', 'trips import a.gpx --vehicle A'])(
  'in a folder without a database, %s names the folder and makes nothing',
  async (command) => {
    const folder = join(dataDir, 'elsewhere');
    const { code, stdout, stderr } = await runCommand(command.split(' '), { DATA_DIR: folder });
    const sentence = `There is no database in ${folder}; set DATA_DIR to the folder of the service, or start it\n`;
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: sentence });
    expect(existsSync(folder)).toBe(false);
  },
);

test('an access token is issued only where AUTH_URL is on this machine', async () => {
  const env = { DATA_DIR: dataDir, AUTH_URL: 'https://auth.example.com', SITE_URL: 'https://www.example.com' };
  const { code, stderr } = await runCommand(['oauth-token', 'issue', '--app', 'A', '--user', 'U'], env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^AUTH_URL is not on this machine/);
});

test('a wrong setting is named', async () => {
  const { code, stderr } = await runCommand(['api-key', 'add', '--account', 'A'], { PORT: 'http' });
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'PORT must be a port number from 0 to 65535\n' });
});

test('a database that does not answer is named without its password', async () => {
  const MONGODB_URI = 'mongodb://ada:secret@127.0.0.1:1/fleet';
  const { code, stderr } = await runCommand(['api-key', 'add', '--account', 'A'], { MONGODB_URI });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'The database at mongodb://127.0.0.1:1/fleet does not answer (connect ECONNREFUSED 127.0.0.1:1); start it, or correct MONGODB_URI\n',
  });
});

test('a data folder that cannot be made is named', async () => {
  const { code, stderr } = await runCommand(['account', 'add', '--nickname', 'A'], { DATA_DIR: '/dev/null/data' });
  expect(code).toBe(1);
  expect(stderr).toBe('The folder /dev/null/data cannot be created (ENOTDIR); set DATA_DIR to a writable folder\n');
});

test('content import refuses a file that is not UTF-8', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'content.json');
  await writeFile(file, Buffer.from('{"title":"Br\xe9men"}', 'latin1'));
  const { code, stderr } = await runCommand(['content', 'import', file], { DATA_DIR: folder });
  expect([code, stderr]).toEqual([1, `${file} is not UTF-8; give a file that content export wrote\n`]);
});
