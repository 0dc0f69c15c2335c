import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';

// A process by itself: `node serve-database.js FILE`, so that what both sides cost it is known. It prints its address.
const [, , file = ''] = process.argv;
process.stdout.write((await startEmbeddedDatabase({ file })).uri);
