#!/usr/bin/env node
import 'reflect-metadata';

import { bearClosedPipes } from './commands/closed-pipe.ts';
import { createProgram } from './commands/program.ts';
import { reportFailure } from './commands/report-failure.ts';

// graphql-js checks every object with a slow instanceof unless it is told before it loads; commands load it lazily.
process.env.NODE_ENV ??= 'production';

bearClosedPipes([process.stdout, process.stderr]);
try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
