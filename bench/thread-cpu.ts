import { readFileSync } from 'node:fs';

/** CPU time of this process's main thread so far, in milliseconds; of all its threads where the system does not tell. */
export function mainThreadCpu(): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
