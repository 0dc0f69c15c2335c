import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

import { addContentContender } from './content-contender.ts';
import { contenderHost } from './contender-host.ts';
import { ContenderRecords } from './contender-records.ts';
import { addGraphqlContender } from './graphql-contender.ts';
import { addRestContender } from './rest-contender.ts';
import { addTokenContender } from './token-contender.ts';
import { addTripMapContender } from './trip-map-contender.ts';

// A process by itself: `node serve-contender.js DATABASE-URI ISSUER CERTIFICATE-FILE KEY-FILE`. It prints the port it listens on.
const [, , uri = '', issuer = '', certFile = '', keyFile = ''] = process.argv;
const records = await ContenderRecords.connect(uri);
const app = contenderHost({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') });
await addRestContender(app, records);
await addGraphqlContender(app, records);
await addTokenContender(app, records, issuer);
addTripMapContender(app, records, issuer);
addContentContender(app, records);
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`https://localhost:${(app.server.address() as AddressInfo).port}\n`);
