import { readdirSync, readFileSync } from 'node:fs';

/** CPU time that all threads of a process have taken, in microseconds; Linux counts it in nanoseconds by thread. */
export function cpuTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => Number(readSchedule(pid, thread).split(' ', 1)[0]));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1000;
}

/** A thread may end between two reads; what it took is no longer counted. */
function readSchedule(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
  } catch {
    return '0';
  }
}

/** A process, and those that it has started. */
export function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(/\s+/).map(Number))];
}

/** Resident memory of a process, in kB. */
export function residentMemory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** CPU time of this process's main thread so far, in milliseconds; of all its threads if the system does not tell. */
export function mainThreadCpu(): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
