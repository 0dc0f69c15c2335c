import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { drive, traccarMessage } from '../../fixtures/drive.ts';
import { createSampleAccount } from '../../fixtures/sample-account.ts';
import { writeSampleWebsite } from '../../fixtures/sample-website.ts';
import { type Answer, jsonOf } from './answer.ts';
import { dot } from './picture.ts';
import type { Side } from './side.ts';

/** Password of everybody in the seed. */
export const PASSWORD = 'a password of compared data';
/** Redirect address of the apps of the seed; nothing answers there. */
export const CALLBACK = 'https://planner.example/callback';
/** Roles of the developer website. */
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
/** Files that commands read and write, below the folder in which they run. */
export const FILES = {
  gpx: 'files/monday.gpx',
  csv: 'files/points.csv',
  ndjson: 'files/trips.ndjson',
  geojson: 'files/line.geojson',
  broken: 'files/broken.gpx',
  content: 'files/content.json',
} as const;

/** All that the seed made, by name: keys, secrets and addresses. */
export type Seed = Readonly<Record<string, string>>;

/**
 * Fills an empty folder by the program's own command line and endpoints: the demonstration, an account with people, groups,
 * vehicles, devices and keys of every state, trips imported and recorded, apps and what they are granted, and a website.
 * The service of the side runs when it is called.
 *
 * @throws Error with the output of the program where a step fails
 */
export async function seed(side: Side): Promise<Seed> {
  const names: Record<string, string> = { password: PASSWORD, callback: CALLBACK };
  await writeFiles(side.folder);
  await createSampleAccount((line, stored, stdin) => run(side, names, line, stored, stdin), PASSWORD);
  await seedTrips(side, names);
  await seedApps(side, names);
  await seedWebsite(side, names);
  return names;
}

type Names = Record<string, string>;

/** Runs a command and stores members of its output by name. */
async function run(side: Side, names: Names, line: string, keep: Readonly<Names> = {}, stdin = ''): Promise<void> {
  const args = line.split(' ').map((word) => word.replace(/^\$(\w+)$/, (_, name: string) => names[name] ?? ''));
  const answer = await side.run([...args, '--json'], stdin);
  if (answer.get('exit') !== '0') throw new Error(`waybridge ${args.join(' ')}: ${answer.get('stderr')}`);
  const printed = jsonOf(answer) as Readonly<Record<string, unknown>>;
  for (const [name, printedAs] of Object.entries(keep)) names[name] = String(printed[printedAs]);
}

async function send(
  side: Side,
  headers: Readonly<Record<string, string>>,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const json = { 'content-type': 'application/json' };
  return succeeded(
    path,
    await side.ask({ method: 'POST', path, headers: { ...json, ...headers }, body: JSON.stringify(body) }),
  );
}

function succeeded(path: string, answer: Answer): Record<string, unknown> {
  if (!answer.get('status')?.startsWith('2')) {
    throw new Error(`${path}: ${answer.get('status')} ${answer.get('body')}`);
  }
  return jsonOf(answer) as Record<string, unknown>;
}

/** Trips imported, recorded whole, in any order and in parts, out of a privacy zone, and still open. */
async function seedTrips(side: Side, names: Names): Promise<void> {
  await run(side, names, `trips import ${FILES.gpx} --vehicle $van`);
  await run(
    side,
    names,
    `trips import ${FILES.ndjson} --vehicle $lorry --interval 15 --map time=start coordinates=coordinates`,
  );
  const bearer = (name: string) => ({ authorization: `Bearer ${names[name]}` });
  const ingest = (points: readonly unknown[]) => send(side, bearer('van_device_key'), '/api/v2/ingest', { points });
  await ingest(drive('2026-03-01T08:00:00Z', 40));
  await ingest(drive('2026-03-01T10:00:00Z', 40).toReversed());
  const drivenInParts = drive('2026-03-02T08:00:00Z', 30);
  await ingest(drivenInParts.filter((_, at) => at % 2 === 0));
  await ingest(drivenInParts.filter((_, at) => at % 2 === 1));
  const place = (at: number) => ({ lat: 53.0758 + at * 0.0003, lon: 8.8072 });
  await ingest(drive('2026-03-03T08:00:00Z', 40).map((point, at) => ({ ...point, point: place(at) })));
  await send(side, bearer('lorry_device_key'), '/api/v2/ingest', {
    points: drive('2026-03-04T08:00:00Z', 20, { ends: false }),
  });
  await send(side, bearer('forwarder_key'), '/api/v2/ingest', traccarMessage('VAN-1', '2026-03-05T08:00:00.000+00:00'));
}

/** Apps of every kind, and what two users have granted them. */
async function seedApps(side: Side, names: Names): Promise<void> {
  const register = `app add --account $account --redirect-uri ${CALLBACK} --name`;
  await run(side, names, `${register} Planner`, { client_id: 'client_id', client_secret: 'client_secret' });
  await run(side, names, 'app approve $client_id --scope trippoints.read billing.read');
  await run(side, names, `${register} Viewer --public`, { public_client_id: 'client_id' });
  await run(side, names, `${register} Ledger --no-pkce`, {
    plain_client_id: 'client_id',
    plain_client_secret: 'client_secret',
  });
  const token = 'oauth-token issue --app $client_id --user';
  await run(side, names, `${token} $owner`, { app_access_token: 'access_token' });
  await run(side, names, `${token} $owner --scope account.read`, { narrow_app_access_token: 'access_token' });
  await run(side, names, `${token} $restricted_user`, { restricted_app_access_token: 'access_token' });
  await run(side, names, 'token issue --vehicle $van --origin https://www.example.com', { trip_token: 'token' });
}

/** A website with users of all roles, and everything that WordPress has. */
async function seedWebsite(side: Side, names: Names): Promise<void> {
  for (const role of ROLES) {
    const add = `content user add --username ${role} --email ${role}@example.com --role ${role}`;
    await run(side, names, add, { [`${role}_password`]: 'application_password' });
  }
  const headersOf = (role: string) => ({
    authorization: `Basic ${Buffer.from(`${role}:${names[`${role}_password`]}`).toString('base64')}`,
  });
  const write = (role: string, path: string, body: unknown) =>
    send(side, headersOf(role), `/wp-json/wp/v2${path}`, body);
  const { post, draft, page, category, tag } = await writeSampleWebsite(write, 'Compared');
  const media = succeeded(
    '/media',
    await side.ask({
      method: 'POST',
      path: '/wp-json/wp/v2/media',
      headers: {
        ...headersOf('author'),
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="dot.png"',
      },
      body: dot(),
    }),
  );
  Object.assign(names, {
    post: String(post),
    draft: String(draft),
    page: String(page),
    media: String(media.id),
    media_path: new URL(String(media.source_url)).pathname,
    category: String(category),
    tag: String(tag),
  });
  await run(side, names, `content export ${FILES.content}`);
}

/** Recordings of every format, and one that breaks off. */
async function writeFiles(folder: string): Promise<void> {
  await mkdir(join(folder, 'files'));
  const points = drive('2026-02-20T07:00:00Z', 60);
  const segment = points.map(
    ({ point, timestamp }) => `<trkpt lat="${point.lat}" lon="${point.lon}"><time>${timestamp}</time></trkpt>`,
  );
  const gpx = `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${segment.join('')}`;
  const csv = points.map(({ point, timestamp, heading }) => `${timestamp},${point.lat},${point.lon},${heading}`);
  const rows = [0, 1, 2].map((day) => ({
    start: `2026-02-1${day}T06:30:00Z`,
    coordinates: drive('2026-02-10T06:30:00Z', 25 + day).map(({ point }) => [point.lon, point.lat]),
  }));
  const line = { type: 'LineString', coordinates: points.map(({ point }) => [point.lon, point.lat]) };
  const times = points.map(({ timestamp }) => timestamp);
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write(FILES.gpx, `${gpx}</trkseg></trk></gpx>`);
  await write(FILES.broken, gpx);
  await write(FILES.csv, `time,lat,lon,heading\n${csv.join('\n')}\nnonsense,1,2,3\n`);
  await write(FILES.ndjson, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await write(
    FILES.geojson,
    JSON.stringify({ type: 'Feature', properties: { coordinateProperties: { times } }, geometry: line }),
  );
}
