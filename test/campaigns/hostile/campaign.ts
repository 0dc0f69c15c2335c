import { type Heap, HostileService } from './hostile-service.ts';
import { makeRequest } from './make-request.ts';
import { makeWorld } from './make-world.ts';
import { Lane } from './send-request.ts';
import { type EndpointCount, type Failure, showRequest, Tally } from './tally.ts';
import { wellBehaved } from './well-behaved.ts';
import type { World } from './world.ts';

/** Characters of an answer that are shown. */
const MAX_SHOWN = 4000;
/** Maximum number of failures that a report quotes. */
const MAX_FAILURES = 100;
/** Most that the heap may have grown. */
export const MAX_HEAP_RATIO = 1.1;

/** The requests to send. */
export interface CampaignOptions {
  readonly seed: string;
  readonly requests: number;
  /** Requests before the heap is measured for the first time. */
  readonly warmUp: number;
  readonly limits: 'on' | 'off';
  /** Requests at a time. */
  readonly lanes: number;
  /** Only the request of this number. */
  readonly only?: number;
  /** Leaves out measuring the heap. */
  readonly measures: boolean;
  /** Ends the sending before its time; the rest is done nevertheless. */
  readonly signal?: AbortSignal;
  /** Called with the number of answered requests. */
  readonly progress?: (done: number, all: number) => void;
}

/** Results of a campaign. */
export interface CampaignReport {
  readonly limits: 'on' | 'off';
  readonly seed: string;
  readonly requests: number;
  readonly seconds: number;
  readonly endpoints: Readonly<Record<string, EndpointCount>>;
  readonly failures: readonly Failure[];
  readonly failureCount: number;
  /** Faults beside single requests: log, well-behaved clients, check, end, heap. */
  readonly findings: readonly string[];
  readonly heap: { readonly before: Heap; readonly after: Heap; readonly ratio: number } | null;
  readonly only?: { readonly request: string; readonly outcome: string };
}

/** Starts a service, sends it hostile requests, and judges what became of them. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const service = await HostileService.start(options.limits);
  const findings: string[] = [];
  let tally = new Tally();
  const started = performance.now();
  let heap: CampaignReport['heap'] = null;
  let only: CampaignReport['only'];
  try {
    const world = await makeWorld(service.process, service.reach.ca);
    service.log.hide(world.secrets);
    if (options.only !== undefined) {
      only = await sendOne(options.only, options, world, service, tally);
    } else {
      const { warmUp, requests, progress } = options;
      await sendAll(requests, warmUp, { ...options, progress: () => undefined }, world, service, tally);
      const before = options.measures ? await service.heap() : {};
      const warm = tally;
      tally = new Tally(warm.failures);
      await sendAll(0, requests, { ...options, ...(progress && { progress }) }, world, service, tally);
      if (service.isUp && options.measures) heap = compared(before, await service.heap());
    }
    if (service.isUp) {
      findings.push(...(await wellBehaved(world, service.reach, options.limits)));
      const damage = await service.check();
      if (damage !== null) findings.push(damage);
    }
  } finally {
    const ended = await service.end();
    if (ended !== null) findings.push(ended);
  }
  if (tally.count === 0) findings.push('no request was counted: the sending ended in the warm-up');
  findings.push(...service.log.findings);
  if (heap !== null && heap.ratio > MAX_HEAP_RATIO) {
    findings.push(`the heap has grown to ${heap.ratio.toFixed(2)} of what it was`);
  }
  return {
    limits: options.limits,
    seed: options.seed,
    requests: tally.count,
    seconds: Math.round((performance.now() - started) / 1000),
    endpoints: tally.endpoints,
    failures: tally.failures.slice(0, MAX_FAILURES),
    failureCount: tally.failures.length,
    findings,
    heap,
    ...(only && { only }),
  };
}

/** True where every promise holds. */
export function holds({ failureCount, findings }: CampaignReport): boolean {
  return failureCount === 0 && findings.length === 0;
}

async function sendAll(
  from: number,
  count: number,
  { seed, lanes, progress, signal }: CampaignOptions,
  world: World,
  service: HostileService,
  tally: Tally,
): Promise<void> {
  let next = from;
  let done = 0;
  const lane = async (): Promise<void> => {
    const connection = new Lane(service.reach);
    while (next < from + count && service.isUp && !signal?.aborted) {
      const number = next++;
      const request = makeRequest(seed, number, world);
      try {
        tally.add(number, request, await connection.send(request));
      } catch (error) {
        const { endpoint, caller } = request;
        const why = `no connection: ${String(error)}`;
        tally.failures.push({ number, endpoint, caller, why, milliseconds: 0, request: showRequest(request) });
      }
      progress?.(++done, count);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function sendOne(
  number: number,
  { seed }: CampaignOptions,
  world: World,
  service: HostileService,
  tally: Tally,
): Promise<NonNullable<CampaignReport['only']>> {
  const request = makeRequest(seed, number, world);
  const lane = new Lane(service.reach);
  const outcome = await lane.send(request);
  lane.close();
  tally.add(number, request, outcome);
  const { answer, fault } = outcome;
  const fields = [...(answer?.headers ?? [])].map(([name, value]) => `${name}: ${value}`);
  const body = answer?.body.toString('utf8').slice(0, MAX_SHOWN) ?? '';
  const shown = answer ? [String(answer.status), ...fields, '', body].join('\n') : `none: ${fault}`;
  return { request: showRequest(request), outcome: shown };
}

function compared(before: Heap, after: Heap): NonNullable<CampaignReport['heap']> {
  const sum = (heap: Heap) => Object.values(heap).reduce((total, bytes) => total + bytes, 0);
  return { before, after, ratio: sum(after) / sum(before) };
}
