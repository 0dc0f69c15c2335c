import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { localCertificate } from '../../http/tls/local-ca.ts';
import { benchService, withService } from '../bench-service.ts';
import { ContenderRecords } from '../contenders/contender-records.ts';
import { HttpsLoad } from '../https-load.ts';
import { LIMITS } from './limits.ts';
import { countingPipe, type CountingPipe } from './counting-pipe.ts';
import { serverProcess } from './server-process.ts';
import type { Service } from '../../models/store/service.ts';

/** Issuer of tokens, which is named before the port of a service is known. */
export const ISSUER = 'https://localhost';

/** One of the two that compete: a server in a separate process. */
export interface Side {
  readonly name: 'ours' | 'theirs';
  readonly pid: number;
  /** Its address, without a path. */
  readonly url: string;
  readonly pipe: CountingPipe;
  /** Socket of its `profile-server.ts`. */
  readonly profileSocket: string;
}

/** Service and contender beside each other, over one database in a separate process. */
export interface DuelHost<Records> {
  readonly records: Records;
  readonly ours: Side;
  readonly theirs: Side;
  /** Process of the database. */
  readonly database: number;
  readonly load: HttpsLoad;
  /** Deletes documents of a collection that fulfil a condition, such as records that requests have created. */
  clear(collection: string, filter: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * Stores records, starts both servers, and ends them when the work is done.
 *
 * @param documents that the service trusts, by name
 */
export async function withDuelHost<Records, Result>(
  store: (service: Service) => Promise<Records>,
  work: (host: DuelHost<Records>) => Promise<Result>,
  documents: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const database = await serverProcess('duel/serve-database', [join(folder, 'waybridge.db')]);
    ends.push(database.end);
    const [ourPipe, theirPipe] = [await countingPipe(database.url), await countingPipe(database.url)];
    ends.push(ourPipe.close, theirPipe.close);
    const settings = { MONGODB_URI: ourPipe.uri, DATA_DIR: folder, AUTH_URL: ISSUER, ...LIMITS };
    const records = await withService(settings, store);
    const trusted = join(folder, 'documents');
    mkdirSync(trusted);
    for (const [name, text] of Object.entries(documents)) writeFileSync(join(trusted, `${name}.graphql`), text);
    await localCertificate(folder, ['localhost']);
    const profiled = (name: string) => {
      const profileSocket = join(folder, `${name}.sock`);
      const preload = new URL('profile-server.js', import.meta.url).href;
      return { profileSocket, env: { PROFILE_SOCKET: profileSocket, NODE_OPTIONS: `--import ${preload}` } };
    };
    const [our, their] = [profiled('ours'), profiled('theirs')];
    const service = await benchService({ ...settings, ...our.env, TRUSTED_DOCUMENTS: trusted });
    ends.push(() => service.end());
    const tls = ['server.pem', 'server-key.pem'].map((file) => join(folder, 'tls', file));
    const contender = await serverProcess('contenders/serve-contender', [theirPipe.uri, ISSUER, ...tls], their.env);
    ends.push(contender.end);
    const cleaner = await ContenderRecords.connect(theirPipe.uri);
    ends.push(() => cleaner.close());
    const clear = async (collection: string, filter: object) => {
      await cleaner.collection(collection).deleteMany(filter);
    };
    const load = new HttpsLoad();
    ends.push(() => load.close());
    const { profileSocket } = our;
    const ours = { name: 'ours', pid: service.child.pid ?? 0, url: service.url, pipe: ourPipe, profileSocket } as const;
    const theirs = { ...contender, name: 'theirs', pipe: theirPipe, profileSocket: their.profileSocket } as const;
    return await work({ records, load, clear, database: database.pid, ours, theirs });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
