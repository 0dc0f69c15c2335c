import { expect, test } from 'vitest';

import { createLog } from '../../../http/observing/logs.ts';
import { terminalLog } from '../../../http/observing/terminal-log.ts';

test('a request is one dim line without JSON', () => {
  const [line = '', ...rest] = linesOf((log) => log.info({ method: 'GET', path: '/healthz', status: 200 }, 'request'));
  expect(line).toMatch(/^<2>\d\d:\d\d:\d\d request method=GET path=\/healthz status=200<0>$/);
  expect(rest).toEqual([]);
});

test('a fault is set off, with the request that it belongs to and its stack', () => {
  const lines = linesOf((log) => log.error({ err: new Error('Broken'), requestId: 'abc' }, 'fault'));
  expect(lines[0]).toMatch(/^<31>\S+ fault requestId=abc<0>$/);
  expect(lines[1]).toBe('Error: Broken');
  expect(lines[2]).toMatch(/^ +at /);
});

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string[] {
  let written = '';
  write(createLog('info', terminalLog({ write: (text) => (written += text) })));
  return written
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\x1b[').map(styleFirst).join(''));
}

/** Writes the style with which a part of a line begins in angle brackets. */
function styleFirst(part: string, at: number): string {
  return at === 0 ? part : part.replace(/^(\d+)m/, '<$1>');
}
