import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { DatabaseStalledError, RETRY_AFTER } from './answers/database-unreachable.ts';

/** Interval in which requests are looked at, age from which they raise a doubt, and time for the database to dispel it, in milliseconds. */
const LOOK_EVERY_MS = 500;
const SLOW_MS = 4000;
const PING_WITHIN_MS = 4000;

/**
 * Answers requests with 503 within ten seconds while the database accepts commands and answers none: the driver has no time limit
 * for commands, and its monitor notices only servers that do not answer itself. Slow requests go on while the database answers
 * `ping`. Commands that were sent may still be executed.
 */
export function endStalledRequests(app: FastifyInstance, ping: () => Promise<void>): void {
  /** Unanswered requests with their times, the oldest first. */
  const waiting = new Map<FastifyReply, number>();
  let isAsking = false;
  const isOld = (since: number) => performance.now() - since > SLOW_MS;
  const look = async () => {
    const [[, oldest] = []] = waiting;
    if (isAsking || oldest === undefined || !isOld(oldest)) return;
    isAsking = true;
    if (await isStalled(ping)) for (const [reply, since] of waiting) if (isOld(since)) endRequest(reply);
    isAsking = false;
  };
  const looking = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(looking));
  app.addHook('onRequest', (_request, reply, done) => {
    waiting.set(reply, performance.now());
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply);
    done();
  });
}

async function isStalled(ping: () => Promise<void>): Promise<boolean> {
  let isAnswered = false;
  const answered = () => {
    isAnswered = true;
  };
  void ping().then(answered, answered);
  await pause(PING_WITHIN_MS);
  // An answer may have arrived while this process was busy.
  await nextTurn();
  return !isAnswered;
}

/** Answers a request, unless an answer has begun; in place of a library, if one answers it. */
function endRequest(reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  if (reply.sent) reply.raw.writeHead(503, { 'Retry-After': RETRY_AFTER }).end();
  else reply.send(new DatabaseStalledError());
}
