import type { Random } from '../../../server/demo/random.ts';

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
  /** Milliseconds before the kill for which another program holds the lock of the database; null where it does not. */
  readonly lockedFor: number | null;
}

const MAX_REQUESTS = 70;
const MAX_REQUESTS_WHILE_STOPPED = 15;

/** Draws what is done to the servers of a round. */
export function drawPlan(servers: 1 | 2, random: Random): KillPlan {
  const after = 1 + Math.floor(random.next() * MAX_REQUESTS);
  const stoppedFor = 1 + Math.floor(random.next() * MAX_REQUESTS_WHILE_STOPPED);
  const commandsAfter = random.next() < 0.5 ? random.between(300, 2000) : null;
  const choice = random.next();
  const one = random.next() < 0.5 ? 0 : 1;
  const lockedFor = random.next() < 0.3 ? random.between(200, 1500) : null;
  const plan = { servers, after, stoppedFor, commandsAfter, lockedFor, stopped: null, isResumed: false };
  if (servers === 1) return { ...plan, killed: [0] };
  if (choice < 0.35) return { ...plan, killed: [one] };
  if (choice < 0.6) return { ...plan, killed: [0, 1] };
  if (choice < 0.8) return { ...plan, killed: [one], stopped: one };
  return { ...plan, killed: [1 - one], stopped: one, isResumed: true };
}

/** The description of an action, for people. */
export function describePlan({ servers, killed, stopped, isResumed, commandsAfter, lockedFor }: KillPlan): string {
  const names = (numbers: readonly number[]) => numbers.map((number) => 'AB'[number]).join(' and ');
  const words = [`${servers === 1 ? '1 server' : '2 servers'}, kill ${names(killed)}`];
  if (stopped !== null) words.push(`${names([stopped])} stopped before${isResumed ? ' and resumed' : ''}`);
  if (lockedFor !== null) words.push('the database locked');
  if (commandsAfter !== null) words.push('commands killed');
  return words.join(', ');
}
