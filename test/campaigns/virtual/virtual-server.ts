import type { FastifyInstance } from 'fastify';
import mongoose from 'mongoose';

import { PointReads } from '../../../embedded/point-reads.ts';
import type { SqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { createHost } from '../../../http/host.ts';
import { createLog } from '../../../http/observing/logs.ts';
import { AddressRanges } from '../../../http/requests/address-ranges.ts';
import type { Certificate } from '../../../http/tls/listener.ts';
import type { NotificationSender } from '../../../models/store/notification-sender.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { databaseFile } from '../../../server/database/data-folder.ts';
import { type Database, openDatabase } from '../../../server/database/database.ts';
import { readPast } from '../../../server/database/point-reads.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { hourlyPurge, startHousekeeping, startWatching } from '../../../server/service/housekeeping.ts';
import { completeWork } from '../../../server/service/prepare.ts';
import type { Closable } from '../../../server/start/shutdown.ts';
import { runUnderLease } from '../../../server/service/under-lease.ts';

/** Options of a server. */
export interface ServerOptions {
  readonly dataDir: string;
  /** Address of the database. */
  readonly uri: string;
  /** SQLite of the embedded database of the server; null if several use one database as they use MongoDB. */
  readonly sqlite: SqliteEngine | null;
  readonly erase: Database['erase'];
  readonly certificate: Certificate;
  readonly sender: NotificationSender;
  /** Called with the message of each fault that the server logs. */
  readonly onFault: (line: string) => void;
}

/** Settings of a simulated server. */
export function settingsOf({ dataDir, uri, sqlite }: Pick<ServerOptions, 'dataDir' | 'uri' | 'sqlite'>) {
  return readConfig({
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    WEBHOOK_MAX_AGE: '5256000',
    ...(!sqlite && { MONGODB_URI: uri }),
  });
}

/**
 * The parts of a service that a simulation runs, put together as `server/service/serve.ts` does: the account API and
 * the health of the host, the work of each process, and the work of one.
 */
export class VirtualServer {
  readonly host: FastifyInstance;
  readonly #database: Database;
  readonly #parts: readonly Closable[];
  readonly #purge: ReturnType<typeof hourlyPurge>;

  private constructor(host: FastifyInstance, database: Database, parts: readonly Closable[], erase: Database['erase']) {
    this.host = host;
    this.#database = database;
    this.#parts = parts;
    this.#purge = hourlyPurge(database.service, { erase });
  }

  /** Starts a server in the process that runs. */
  static async start(options: ServerOptions): Promise<VirtualServer> {
    const { uri, sqlite, sender, certificate, erase, onFault } = options;
    const log = createLog('error', { write: onFault });
    const embeddedAt = sqlite ? uri : null;
    const database = await openDatabase(settingsOf(options), false, { embeddedAt });
    const { service } = database;
    // As with `answers`, for which the module is loaded while virtual time would go on.
    if (sqlite) readPast(service.connection, new PointReads(databaseFile(options.dataDir), sqlite));
    Object.defineProperty(service, 'sender', { value: sender });
    await completeWork(service, log);
    const host = createHost({
      certificate,
      trustedProxies: AddressRanges.NONE,
      log,
      endpoints: [await accountEndpoint(service, new URL('https://localhost/api/v2'), new URL('https://localhost'))],
      ping: database.ping,
      version: '1.2.3',
      metricsToken: null,
    });
    await host.ready();
    const parts = [
      ...startWatching(service, log),
      runUnderLease(
        service,
        'housekeeping',
        (lease) => startHousekeeping(service, log, { erase }, lease),
        (err) => log.error({ err }, 'housekeeping'),
      ),
    ];
    return new VirtualServer(host, database, parts, erase);
  }

  /** Ends it as a signal does. */
  async stop(): Promise<void> {
    for (const part of this.#parts) await part.close();
    await this.#database.close();
  }

  /** Does the work of each hour now. */
  purge(): Promise<void> {
    return this.#purge(new AbortController().signal);
  }

  /** Removes what Mongoose keeps of it after a kill. */
  discard(): void {
    const at = mongoose.connections.indexOf(this.#database.service.connection);
    if (at >= 0) mongoose.connections.splice(at, 1);
  }
}
