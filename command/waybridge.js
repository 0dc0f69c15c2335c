#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../build/bundle/waybridge.js', import.meta.url);

if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('The program has not been built. Run `npm run build` first.\n');
  process.exitCode = 1;
}
