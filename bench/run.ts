import { createProgram } from './program.ts';

// As the service does, before graphql-js is loaded.
process.env.NODE_ENV ??= 'production';

await createProgram().parseAsync();
