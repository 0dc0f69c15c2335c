import { resolve } from 'node:path';

import type { Command } from 'commander';

import { SETTINGS } from '../../server/configuration/config.ts';
import type { RunningService } from '../../server/service/serve.ts';

import type { CommonOptions } from '../shell/answer.ts';
import { endOnSignals } from '../../server/start/end-on-signals.ts';
import { ProgressBar } from '../shell/progress-bar.ts';
import { reportFailure } from '../../server/start/report-failure.ts';

/** Loads the service without oidc-provider's warning about Node.js 20, on which it is tested and works. */
async function importServe() {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
  };
  try {
    const { runWorker, workerInput } = await import('../../server/service/worker-process.ts');
    return { ...(await import('../../server/service/serve.ts')), runWorker, workerInput };
  } finally {
    console.warn = warn;
  }
}

/** `serve` */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .summary('Serve the account API, GraphQL, tokens and the website over HTTPS')
    .description(
      'Serve the account API, GraphQL, tokens and the website over HTTPS.\n\n' +
        'Until there is an account, a link is printed with which a browser creates the first one. With --lan, other devices of the ' +
        'local network reach the service at an address of this machine, and a QR code of the link is printed as well. ' +
        'If the data folder is empty and MONGODB_URI is not set, it creates a demonstration account with simulated trips. ' +
        'Addresses and commands to try are printed to standard output; log lines go to standard error, as JSON unless it ' +
        'is a terminal. SIGHUP, unless from a terminal, reads the certificate again. SIGTERM and Ctrl-C stop the service: the exit code is 0, or 75 if something was cut off or did ' +
        'not close in time.',
    )
    .option('--demo', 'create the demonstration in the database of MONGODB_URI as well, if it has no accounts')
    .option('--no-demo', 'do not create the demonstration')
    .option('--json', 'print exactly one JSON object when ready: addresses and files, without keys')
    .addHelpText('after', helpOfSettings())
    .action(async ({ demo, json }: CommonOptions & { readonly demo?: boolean }) => {
      const { serve, runWorker, workerInput } = await importServe();
      const { banner } = await import('../../server/service/banner.ts');
      const { terminalLog } = await import('../../http/observing/terminal-log.ts');
      const logTo = process.stderr.isTTY ? terminalLog(process.stderr) : undefined;
      const input = workerInput(process.env);
      if (input) return runWorker(input, process.env, logTo);
      const progress = new ProgressBar(process.stderr);
      const service = await serve({
        env: process.env,
        demo: demo === undefined ? 'default' : demo ? 'wanted' : 'refused',
        ...(logTo && { logTo }),
        onDemoProgress: (share) => progress.draw(share, 'simulated trips'),
      });
      endOnSignals(service.stop);
      void service.failed.then(async (error) => {
        await service.stop();
        process.exit(reportFailure(error));
      });
      // On a terminal, SIGHUP means that the terminal was closed.
      if (!process.stdout.isTTY) process.on('SIGHUP', service.renewCertificate);
      const isWhole = await service.demoWritten.catch(async (error: unknown) => {
        await service.stop();
        throw error;
      });
      progress.clear();
      // Printed addresses work from now on; a service that is being stopped prints nothing.
      if (!isWhole) return;
      process.stdout.write(
        json ? `${JSON.stringify(addressesOf(service))}\n` : banner(service, await service.issueSetupLink()),
      );
    });
}

function addressesOf({ config, database, caFile, demo, demoFile }: RunningService): Record<string, string | null> {
  return {
    site_url: config.siteUrl,
    base_url: config.baseUrl,
    auth_url: config.authUrl,
    graphql_url: config.graphqlUrl,
    ca_file: caFile && resolve(caFile),
    demo_file: demo && resolve(demoFile),
    database: database.description,
  };
}

const SECRETS = Object.values(SETTINGS)
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name);

const SETTING_FORMS =
  'Each is also an option of every command: --port 9443 for PORT=9443. Secrets are not, since others could read them ' +
  `in the list of processes; they can be in files named by ${SECRETS.map((name) => `${name}_FILE`).join(', ')}.\n` +
  '"waybridge config" prints the effective settings.';

function helpOfSettings(): string {
  const settings = Object.values(SETTINGS);
  const width = Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, help, fallback }) => {
    const standard = fallback === null || fallback === '' ? '' : ` (default: ${fallback})`;
    return `  ${name.padEnd(width)}  ${help}${standard}`;
  });
  return `\nSettings (environment variables):\n${lines.join('\n')}\n\n${SETTING_FORMS}\n\nExample:\n  $ PORT=9443 DATA_DIR=/var/lib/waybridge waybridge serve --no-demo`;
}
