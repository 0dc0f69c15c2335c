import { createHash } from 'node:crypto';

import fastify from 'fastify';
import { mongo } from 'mongoose';

import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';
import { localCertificate } from '../../http/tls/local-ca.ts';

/** A position as a device sends it. */
interface SentPoint {
  readonly point: { readonly lat: number; readonly lon: number };
  readonly timestamp: string;
  readonly speed?: number;
  readonly heading?: number;
}

/** A body of `POST /ingest`, of which one is given. */
interface Body {
  readonly points?: readonly SentPoint[];
  readonly batch?: readonly { readonly serial: string; readonly points: readonly SentPoint[] }[];
}

/**
 * Serves `POST /ingest` as one would write it by hand: TLS, the look-up of the key with its device, and an insert of the positions, which a
 * unique index keeps from being stored twice. It derives no trips. Prints its port once it is ready.
 *
 * @param file of the embedded database, which has the devices and keys
 * @param folder for its certificate
 */
async function serve(file: string, folder: string): Promise<void> {
  const database = await startEmbeddedDatabase({ file });
  const client = await new mongo.MongoClient(database.uri).connect();
  const db = client.db('waybridge');
  const [keys, devices, positions] = [
    db.collection('ingest_keys'),
    db.collection('devices'),
    db.collection('bench_positions'),
  ];
  await positions.createIndex({ device_key: 1, timestamp: 1 }, { unique: true });
  const { cert, key } = await localCertificate(folder, ['localhost']);
  const app = fastify({ https: { cert, key } });
  app.post<{ readonly Body: Body }>('/ingest', async ({ headers, body }, reply) => {
    const secret = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const secret_hash = createHash('sha256').update(secret).digest('base64url');
    const [found] = await keys
      .aggregate([
        { $match: { secret_hash, revoked: null } },
        { $lookup: { from: 'devices', localField: 'device_key', foreignField: 'key', as: 'devices' } },
        { $project: { account_key: 1, device_key: 1, 'devices.status': 1 } },
      ])
      .toArray();
    const isForwarder = found?.device_key === null;
    if (!found || (!isForwarder && found.devices[0]?.status === 'removed')) return reply.code(401).send();
    const rows = (points: readonly SentPoint[], device_key: unknown) =>
      points.map(({ point: { lat, lon }, timestamp, speed = null, heading = null }) => ({
        ...{ device_key, timestamp: new Date(timestamp), lat, lon, speed, heading },
      }));
    const { batch, points = [] } = body;
    let inserted = rows(points, found.device_key);
    if (batch) {
      const named = {
        account_key: found.account_key,
        serial_folded: { $in: batch.map(({ serial }) => serial.toLowerCase()) },
      };
      const known = await devices.find(named, { projection: { key: 1, serial_folded: 1 } }).toArray();
      const bySerial = new Map(known.map((device) => [device.serial_folded, device.key]));
      inserted = batch.flatMap((one) => rows(one.points, bySerial.get(one.serial.toLowerCase())));
    }
    const { insertedCount } = await positions.insertMany(inserted, { ordered: false });
    return { accepted: insertedCount, duplicates: 0 };
  });
  await app.listen({ host: 'localhost', port: 0 });
  const address = app.server.address();
  process.stdout.write(`https://localhost:${typeof address === 'object' ? address?.port : address}\n`);
}

const [file = '', folder = ''] = process.argv.slice(2);
await serve(file, folder);
