import type { AddressInfo } from 'node:net';

import fastify from 'fastify';
import { mongo } from 'mongoose';

import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';
import { localCertificate } from '../../http/tls/local-ca.ts';

/**
 * Serves one path as one would write it by hand: TLS, Fastify, the driver, the embedded database. Prints the port once it is
 * ready.
 *
 * @param file of the embedded database, with an account
 * @param folder for its certificate
 */
async function serve(file: string, folder: string): Promise<void> {
  const database = await startEmbeddedDatabase({ file });
  const client = await new mongo.MongoClient(database.uri).connect();
  const accounts = client.db('waybridge').collection('accounts');
  const { cert, key } = await localCertificate(folder, ['localhost']);
  const app = fastify({ https: { cert, key } });
  app.get('/accounts', async () => ({ accounts: await accounts.countDocuments({}) }));
  await app.listen({ host: 'localhost', port: 0 });
  process.stdout.write(`https://localhost:${(app.server.address() as AddressInfo).port}\n`);
}

const [file = '', folder = ''] = process.argv.slice(2);
await serve(file, folder);
