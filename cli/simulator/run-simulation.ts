import { setTimeout } from 'node:timers/promises';

import type { IngestClient } from './ingest-client.ts';
import { type Batch, type Simulation, simulatedBatches } from './simulated-batches.ts';

/** A simulation that is sent to a service. */
export interface SimulationRun extends Simulation {
  /** Simulated seconds per second. */
  readonly speed: number;
  /** Maximum number of requests under way; those that are due meanwhile wait. */
  readonly maxRequests: number;
}

/** Counts of a simulation so far. */
export interface SimulationProgress {
  readonly requests: number;
  /** Positions that were acknowledged: new ones, and those that the service had already. */
  readonly accepted: number;
  readonly duplicates: number;
  /** Requests that were sent again before they were acknowledged. */
  readonly repeated: number;
  /** Share of the simulated time that is over. */
  readonly share: number;
  /** Simulated seconds by which sending is behind. */
  readonly behind: number;
}

/**
 * Sends the batches of a simulation when they are due, those of a sender one after another.
 *
 * @param signal ends the simulation early: requests in progress are acknowledged first, nothing else is sent
 * @throws CommandError if the service rejects a request
 */
export async function runSimulation(
  run: SimulationRun,
  client: IngestClient,
  signal: AbortSignal,
  onProgress: (progress: SimulationProgress) => void,
): Promise<SimulationProgress> {
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const senders = new Map<number, Promise<void>>();
  const underWay = new Set<Promise<void>>();
  const counts = { requests: 0, accepted: 0, duplicates: 0 };
  let [share, behind] = [0, 0];
  const progress = () => ({ ...counts, repeated: client.repeated, share, behind });
  const send = async (batch: Batch) => {
    if (ending.aborted) return;
    const acknowledged = await client.send(bodyOf(batch, run.batch), ending);
    if (acknowledged !== null) {
      counts.requests++;
      counts.accepted += acknowledged.accepted;
      counts.duplicates += acknowledged.duplicates;
    }
    onProgress(progress());
  };
  const began = performance.now();
  for (const batch of simulatedBatches(run)) {
    const simulated = batch.due - run.start;
    const early = simulated / run.speed - (performance.now() - began);
    if (early > 0) await setTimeout(early, undefined, { signal: ending }).catch(() => undefined);
    while (underWay.size >= run.maxRequests) await Promise.race(underWay);
    if (ending.aborted) break;
    share = simulated / (run.forSeconds * 1000);
    behind = Math.max(0, Math.round((-early * run.speed) / 1000));
    const sent = (senders.get(batch.sender) ?? Promise.resolve())
      .then(() => send(batch))
      .catch((error: unknown) => failed.abort(error))
      .finally(() => underWay.delete(sent));
    senders.set(batch.sender, sent);
    underWay.add(sent);
  }
  await Promise.all(underWay);
  if (failed.signal.aborted) throw failed.signal.reason;
  return progress();
}

/** The body of a request: of one device, or of the devices of a forwarder. */
function bodyOf({ devices }: Batch, batch: number): object {
  const [first] = devices;
  return batch === 1 && first !== undefined ? first : { batch: devices };
}
