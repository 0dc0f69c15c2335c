import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Command, InvalidArgumentError, Option } from 'commander';

import { parseDateTime } from '../../schema/date-time.ts';
import { parseUrl } from '../../schema/parse-url.ts';

import { type CommonOptions, printAnswer } from '../shell/answer.ts';
import { endOnSignals } from '../../server/start/end-on-signals.ts';
import { command } from '../shell/operator-command.ts';
import { secretFromStdin } from '../shell/secret-stdin.ts';
import { ProgressBar } from '../shell/progress-bar.ts';
import { UsageError } from '../shell/command-error.ts';
import { withDatabase } from '../shell/with-database.ts';
import type { Config } from '../../server/configuration/config.ts';
import { FAULTS, type Faults } from '../simulator/faults.ts';
import type { IngestTarget } from '../simulator/ingest-client.ts';
import type { SimulationProgress, SimulationRun } from '../simulator/run-simulation.ts';

interface SimulateOptions extends CommonOptions {
  readonly account?: string;
  readonly url?: string;
  readonly forwarderKeyStdin?: true;
  readonly vehicles: number;
  readonly every: number;
  readonly for: number;
  readonly seed: string;
  readonly from?: number;
  readonly speed: number;
  readonly faults: Faults;
  readonly batch: number;
}

/** A service, with the key of a forwarder for its account. */
interface Target extends IngestTarget {
  /** Keys of the vehicles that were added or found; empty if only the service knows them. */
  readonly vehicles: readonly string[];
  /** Revokes a key that was issued for the simulation. */
  end(): Promise<unknown>;
}

/** Maximum number of requests under way. */
const MAX_REQUESTS = 32;

const MORE_HELP = `
Where to:
  With --account, to the service of the same settings (DATA_DIR or MONGODB_URI, and PORT), which must be running. Vehicles
  "Simulated 1", "Simulated 2" and so on are added to the account unless they are there, with the devices SIM-0001,
  SIM-0002 and so on; a forwarder key is issued, and revoked at the end.
  With --url, to any service whose account has these devices. The secret of a forwarder key is read from standard input,
  or from the variable FORWARDER_KEY_SECRET.

What is sent:
  Vehicles drive from place to place along the streets of the demonstration, with engine_start and engine_stop, and are
  parked for some minutes in between. The same --seed, --vehicles, --every and --from yield exactly the same positions.
  Of --faults default, 3 % of the positions are sent late, after later ones; 2 % are sent twice; 0.5 % jump up to some
  kilometers away; now and then a device is silent for some minutes, or does not report its engine_stop. What is under
  way is acknowledged before the command ends. A request that is answered with 429 or 503, or not at all, is sent again.`;

/** `simulate` */
export function addSimulateCommand(program: Command): void {
  command(program, 'simulate', 'Send positions of simulated vehicles to a running service, for trying out apps')
    .example('simulate --account KEY --vehicles 5 --every 10s --seed 7')
    .option('--account <key>', 'account whose devices send; they are added if missing')
    .option('--url <url>', 'ingest endpoint of another service: {base_url}/ingest')
    .option('--forwarder-key-stdin', 'read the secret of a forwarder key for --url from standard input')
    .addOption(
      new Option('--vehicles <count>', 'number of vehicles').default(10).argParser(wholeNumber('vehicles', 100_000)),
    )
    .addOption(new Option('--every <time>', 'time between positions').default(10, '10s').argParser(duration))
    .addOption(new Option('--for <time>', 'time to simulate').default(3600, '1h').argParser(duration))
    .option('--seed <text>', 'seed of all random choices, any text', '1')
    .addOption(new Option('--from <date-time>', 'time of the first positions (default: now)').argParser(instant))
    .addOption(new Option('--speed <factor>', 'simulated seconds per second').default(1).argParser(factor))
    .addOption(new Option('--faults <kind>', 'faults of devices').choices(FAULTS).default('default'))
    .addOption(
      new Option('--batch <devices>', 'devices per request; 1 sends a request for each device')
        .default(1)
        .argParser(wholeNumber('devices', 1000)),
    )
    .addHelpText('after', MORE_HELP)
    .action(simulate);
}

async function simulate(options: SimulateOptions): Promise<void> {
  const [run, find] = [runOf(options), targetFinder(options)];
  const { IngestClient } = await import('../simulator/ingest-client.ts');
  const { runSimulation } = await import('../simulator/run-simulation.ts');
  const ending = new AbortController();
  const bar = new ProgressBar(process.stderr);
  const finish = async () => {
    const target = await find((count) => bar.draw(count / run.vehicles, 'adding vehicles'));
    const client = new IngestClient(target, MAX_REQUESTS);
    try {
      const done = await runSimulation(run, client, ending.signal, (progress) =>
        bar.draw(progress.share, labelOf(progress)),
      );
      bar.clear();
      printSummary(run, target, done, options);
    } finally {
      bar.clear();
      client.close();
      await target.end();
    }
  };
  const finished = finish();
  endOnSignals(async () => {
    ending.abort();
    await finished;
    return [];
  });
  await finished;
}

function runOf({ every, for: forSeconds, from, ...options }: SimulateOptions): SimulationRun {
  const { vehicles, seed, faults, batch, speed } = options;
  if (speed > 1 && from === undefined) {
    throw new UsageError('--speed above 1 requires --from, since the service rejects positions in the future');
  }
  const start = from ?? Math.floor(Date.now() / 1000) * 1000;
  return { vehicles, seed, faults, batch, speed, start, everySeconds: every, forSeconds, maxRequests: MAX_REQUESTS };
}

/** Finds the service and its devices, with the number of those that are there as progress. */
type TargetFinder = (onProgress: (count: number) => void) => Promise<Target>;

/** @throws UsageError unless either the account or the address and its key are given */
function targetFinder({ account, url, forwarderKeyStdin, vehicles }: SimulateOptions): TargetFinder {
  if ((account === undefined) === (url === undefined)) throw new UsageError('Give either --account or --url');
  if (account !== undefined) return (onProgress) => targetOf(account, vehicles, onProgress);
  const { FORWARDER_KEY_SECRET } = process.env;
  if (url === undefined || (forwarderKeyStdin === undefined && FORWARDER_KEY_SECRET === undefined)) {
    throw new UsageError('--url requires --forwarder-key-stdin, or the variable FORWARDER_KEY_SECRET');
  }
  if (parseUrl(url)?.protocol !== 'https:') throw new UsageError('--url must be an https address');
  return async () => {
    const secret = forwarderKeyStdin ? await secretFromStdin('--forwarder-key-stdin') : String(FORWARDER_KEY_SECRET);
    return { url, secret, ca: null, vehicles: [], end: async () => undefined };
  };
}

async function targetOf(account: string, count: number, onProgress: (count: number) => void): Promise<Target> {
  return withDatabase(async ({ config, service }) => {
    const { simulatedDevices } = await import('../simulator/simulated-devices.ts');
    const { issueIngestKey } = await import('../../auth/ingest-keys.ts');
    const vehicles = await simulatedDevices(service, account, count, onProgress);
    const { secret, key } = await issueIngestKey(service, { account_key: account, device_key: null });
    return {
      url: `${config.baseUrl}/ingest`,
      secret,
      ca: await localAuthority(config),
      vehicles,
      end: () => revoke(key),
    };
  }, true);
}

function revoke(key: string): Promise<boolean> {
  return withDatabase(async ({ service }) => {
    const { revokeIngestKey } = await import('../../auth/ingest-keys.ts');
    return revokeIngestKey(service, key, 'forwarder');
  });
}

/** The certificate of the local authority, if the service uses it. */
async function localAuthority({ tlsCert, dataDir }: Config): Promise<string | null> {
  return tlsCert === null ? readFile(join(dataDir, 'tls/ca.pem'), 'utf8').catch(() => null) : null;
}

function printSummary(
  run: SimulationRun,
  { vehicles }: Target,
  done: SimulationProgress,
  options: CommonOptions,
): void {
  const { requests, accepted, duplicates, repeated } = done;
  const json = {
    ...{ from: new Date(run.start).toISOString(), seed: run.seed, requests, accepted, duplicates, repeated },
    ...(options.json && { vehicles }),
  };
  printAnswer({ title: 'Simulation ended', json }, options);
}

function labelOf({ accepted, duplicates, repeated, behind }: SimulationProgress): string {
  const notes = [`${accepted} positions accepted`, `${duplicates} known`];
  if (repeated > 0) notes.push(`${repeated} requests repeated`);
  if (behind > 5) notes.push(`${behind} s behind`);
  return notes.join(', ');
}

/** Seconds in a unit of {@link duration}. */
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function duration(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (!(seconds >= 1)) throw new InvalidArgumentError('It must be a number with a unit, such as 10s, 5m, 2h or 1d.');
  return seconds;
}

function wholeNumber(noun: string, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`It must be a number of ${noun} from 1 to ${most}.`);
  };
}

function factor(text: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('It must be a number above 0.');
}

function instant(text: string): number {
  const read = parseDateTime(text);
  if (read === null) throw new InvalidArgumentError('It must be a date-time such as 2026-03-01T12:00:00Z.');
  return Math.floor(read.instant / 1000) * 1000;
}
