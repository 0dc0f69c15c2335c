import 'reflect-metadata';

import { expect, test } from 'vitest';

import type { Answer } from './hostile/answer-reader.ts';
import { holds, runCampaign } from './hostile/campaign.ts';
import { evaluate } from './hostile/evaluate.ts';
import { ENDPOINTS, SOCKETS } from './hostile/make-request.ts';
import type { Outcome } from './hostile/send-request.ts';
import { fullTest } from '../services/run-size.ts';
import { ServiceLog } from './hostile/service-log.ts';

fullTest('600 hostile requests at every endpoint find no fault', async () => {
  const requests = { seed: 'npm test', requests: 600, warmUp: 0, lanes: 8 };
  const report = await runCampaign({ ...requests, limits: 'off', measures: false });
  expect({ failures: report.failures, findings: report.findings }).toEqual({ failures: [], findings: [] });
  expect(holds(report)).toBe(true);
  expect(Object.keys(report.endpoints).sort()).toEqual([...ENDPOINTS.map(({ name }) => name), SOCKETS].sort());
});

/** An outcome as it would be were the service at fault. */
function outcome(status: number, more: Partial<Answer> & Partial<Outcome> = {}): Outcome {
  const { headers = new Map(), body = Buffer.alloc(0), ...others } = more;
  return { answer: { status, headers, body }, statuses: [status], fault: null, milliseconds: 5, ...others };
}

const CONTENT = new Map([['x-robots-tag', 'noindex']]);
const REFUSED = Buffer.from('{"code":"rest_upload_unknown_error","message":"x"}');

test.each<[string, Outcome, string | null]>([
  ['a refusal', outcome(400), null],
  ['status 500', outcome(500), 'status 500'],
  ['status 500 behind another answer', { ...outcome(200), statuses: [200, 500] }, 'status 500'],
  ['status 502', outcome(502), 'status 502'],
  ['status 503 with its time', outcome(503, { headers: new Map([['retry-after', '5']]) }), null],
  ['status 503 without a time', outcome(503), 'status 503 without Retry-After'],
  ['a fault in an answer', outcome(200, { body: Buffer.from('INTERNAL_SERVER_ERROR') }), 'INTERNAL_SERVER_ERROR'],
  ['a refusal of the reference', outcome(500, { headers: CONTENT, body: REFUSED }), null],
  ['the same of another endpoint', outcome(500, { body: REFUSED }), 'status 500'],
  ['another fault of the content interface', outcome(500, { headers: CONTENT }), 'status 500'],
  ['an answer after half a minute', outcome(200, { milliseconds: 30_001 }), 'no answer within 30 s'],
  ['silence', { answer: null, statuses: [], fault: 'hangs', milliseconds: 30_000 }, 'no answer within 30 s'],
  ['no answer', { answer: null, statuses: [], fault: 'closed', milliseconds: 1 }, 'the connection was closed'],
  ['what is no HTTP', { answer: null, statuses: [], fault: 'broken', milliseconds: 1 }, 'what came back is no HTTP'],
])('%s is judged', (_, what, why) => {
  const found = evaluate({ needsAnswer: true }, what);
  if (why === null) expect(found).toBeNull();
  else expect(found).toContain(why);
});

test.each([
  ['an error', '{"level":50,"msg":"fault"}', 'log: '],
  ['a secret', '{"level":30,"path":"/s3cret"}', 'a secret is in the log: '],
  ['what is no log line', 'TypeError: x is not a function', 'standard error: '],
])('%s in the log is found', (_, line, finding) => {
  const log = new ServiceLog();
  log.hide(['s3cret']);
  log.read('{"level":30,"msg":"request"}');
  expect(log.findings).toEqual([]);
  log.read(line);
  expect(log.findings).toEqual([finding + line]);
});
