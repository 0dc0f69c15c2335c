import type { Random } from '../../../server/demo/random.ts';

import type { Trouble } from './troubles.ts';

/** An action on the servers of a round, once so many writes have been acknowledged. */
export interface KillPlan {
  readonly servers: 1 | 2;
  /** Numbers of the servers that are killed. */
  readonly killed: readonly number[];
  /** The server that is stopped before, and whether it goes on before the kill. */
  readonly stopped: number | null;
  readonly isResumed: boolean;
  /** Acknowledged requests before the first signal, and from there to the kill. */
  readonly after: number;
  readonly stoppedFor: number;
  /** Milliseconds after which commands are killed too; null where they are left alone. */
  readonly commandsAfter: number | null;
  readonly trouble: Trouble;
  /** Milliseconds before the first signal for which there is trouble. */
  readonly troubledFor: number;
}

const MAX_REQUESTS = 70;
const MAX_REQUESTS_WHILE_STOPPED = 15;

/** Draws what is done to the servers of a round. */
export function drawPlan(servers: 1 | 2, trouble: Trouble, random: Random): KillPlan {
  const after = 1 + Math.floor(random.next() * MAX_REQUESTS);
  const stoppedFor = 1 + Math.floor(random.next() * MAX_REQUESTS_WHILE_STOPPED);
  const commandsAfter = random.next() < 0.5 ? random.between(300, 2000) : null;
  const choice = random.next();
  const one = random.next() < 0.5 ? 0 : 1;
  const isAtKill = trouble === 'none' || trouble === 'power loss';
  const troubledFor = isAtKill ? 0 : random.between(200, 1500);
  const plan = { servers, after, stoppedFor, commandsAfter, trouble, troubledFor, stopped: null, isResumed: false };
  if (servers === 1) return { ...plan, killed: [0] };
  if (trouble === 'power loss') return { ...plan, killed: [0, 1] };
  if (choice < 0.35) return { ...plan, killed: [one] };
  if (choice < 0.6) return { ...plan, killed: [0, 1] };
  if (choice < 0.8) return { ...plan, killed: [one], stopped: one };
  return { ...plan, killed: [1 - one], stopped: one, isResumed: true };
}

/** The description of an action, for people. */
export function describePlan({ servers, killed, stopped, isResumed, commandsAfter, trouble }: KillPlan): string {
  const names = (numbers: readonly number[]) => numbers.map((number) => 'AB'[number]).join(' and ');
  const words = [`${servers === 1 ? '1 server' : '2 servers'}, kill ${names(killed)}`];
  if (stopped !== null) words.push(`${names([stopped])} stopped before${isResumed ? ' and resumed' : ''}`);
  if (trouble !== 'none') words.push(trouble);
  if (commandsAfter !== null) words.push('commands killed');
  return words.join(', ');
}
