import 'reflect-metadata';

import { ignoreEpipe, reportFailure } from '../server/start/report-failure.ts';

// graphql-js checks every object with a slow instanceof unless it is told before it loads; commands load it lazily.
process.env.NODE_ENV ??= 'production';

async function main(): Promise<void> {
  ignoreEpipe([process.stdout, process.stderr]);
  try {
    // Loaded here so that a system that cannot open its files is told in a sentence.
    const { createProgram } = await import('./program.ts');
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

main();
