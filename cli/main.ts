import 'reflect-metadata';

import { ignoreEpipe, reportFailure } from '../server/start/report-failure.ts';

// graphql-js checks every object with a slow instanceof unless this is set before it loads; commands load it lazily.
process.env.NODE_ENV ??= 'production';

async function main(): Promise<void> {
  ignoreEpipe([process.stdout, process.stderr]);
  try {
    // Loaded here so that a failure to open its files is reported in a sentence.
    const { createProgram } = await import('./program.ts');
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

main();
