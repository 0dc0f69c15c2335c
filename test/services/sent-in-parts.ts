import { leasedWorkEnded } from '../../tracking/recording/device-lease.ts';
import type { account } from './account-fixture.ts';
import { type ingestHost, recordingDevice, type SentPoint } from '../hosts/ingest-host.ts';
import { testService } from './database.ts';

type Host = Awaited<ReturnType<typeof ingestHost>>;

/** Methods of models that write what is recorded, for `dieAfter`. */
export const WRITES = ['create', 'insertMany', 'updateOne', 'updateMany', 'deleteOne', 'deleteMany'];

/** Sends positions, and waits for the work after the answer. */
export async function postSettled(host: Host, secret: string, points: readonly SentPoint[]) {
  const answer = await host.post(secret, { points });
  await leasedWorkEnded(testService);
  return answer;
}

/** A device of an account that has sent requests. */
export async function deviceAfter(
  host: Host,
  owner: Awaited<ReturnType<typeof account>>,
  requests: readonly (readonly SentPoint[])[],
) {
  const device = await recordingDevice(owner);
  for (const points of requests) await postSettled(host, device.secret, points);
  return device;
}

/** Parts positions into requests of the given sizes, by turns. */
export function inRequests(points: readonly SentPoint[], sizes: readonly number[]): SentPoint[][] {
  const requests: SentPoint[][] = [];
  for (let from = 0; from < points.length; ) {
    const size = sizes[requests.length % sizes.length] ?? 1;
    requests.push(points.slice(from, from + size));
    from += size;
  }
  return requests;
}
