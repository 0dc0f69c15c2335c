import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { runSize } from '../services/run-size.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';

import { allKinds } from './kill/all-kinds.ts';
import { evaluate, evaluateCount, evaluateRegister, evaluateRemovals } from './kill/evaluate.ts';
import type { Counts } from './kill/ledger.ts';
import { holds, resultRows, resultTable } from './kill/result-table.ts';
import { runCampaign } from './kill/run-campaign.ts';
import { shownBy, type View, type Write } from './kill/write.ts';
import type { WriteKind } from './kill/write-kind.ts';

const ROUNDS = runSize(1, 5);

/** Claims a group that was never made, and makes one twice that it claims once. */
const dishonest: WriteKind = {
  name: 'dishonest',
  begin: async ({ number, fleet, newLedger }, server) => {
    const { headers } = fleet.owner;
    const ledger = newLedger();
    const twice = `Twice ${number}`;
    const make = () => server.ask('/api/v2/groups', { headers, body: { name: twice } });
    await ledger.send([ledger.note(twice, twice)], make);
    await make();
    ledger.noteAnswered(`Never ${number}`, '');
    return {
      ledger,
      writers: 0,
      write: async () => false,
      verify: async (from) => {
        const { groups } = await from.query<{ groups: { name: string }[] }>('{ groups { name } }', headers);
        const shown = shownBy(groups.map(({ name }) => [name, name]));
        return evaluate(ledger.writes, [{ name: 'GraphQL groups', shown }]);
      },
    };
  },
};

test('kills of servers lose nothing that was acknowledged, and the campaign counts what is lost or doubled', async () => {
  const folder = await temporaryFolder();
  const lines: string[] = [];
  const result = await runCampaign({
    folder,
    dataDir: join(folder, 'data'),
    rounds: ROUNDS,
    devices: 2,
    seed: '7',
    servers: runSize('2', 'both'),
    kinds: [...allKinds(), dishonest],
    onProgress: (line) => lines.push(line),
  });
  const rows = resultRows(result.kinds);
  const dishonestRow = rows.find(({ kind }) => kind === 'dishonest');
  expect(dishonestRow).toMatchObject({
    attempted: ROUNDS,
    acknowledged: ROUNDS,
    lost: ROUNDS,
    doubled: ROUNDS,
    unseen: 0,
    half: 0,
  });
  const honest = result.kinds.filter(({ name }) => name !== 'dishonest');
  expect(honest.flatMap(({ findings }) => findings)).toEqual([]);
  expect([result.rounds, result.faults, result.damage]).toEqual([ROUNDS, [], []]);
  expect(holds(result)).toBe(false);
  expect(holds({ ...result, kinds: honest })).toBe(true);
  expect(honest.filter(({ attempted }) => attempted === 0)).toEqual([]);
  expect(resultTable('writes', rows).split('\n')).toHaveLength(rows.length + 1);
  const positions = honest.filter(({ name }) => name.startsWith('positions'));
  const attempted = (results: readonly Counts[]) => results.reduce((sum, result) => sum + result.attempted, 0);
  expect(attempted(positions)).toBeGreaterThanOrEqual(attempted(result.kinds) / 2);
  const troubles = ['I/O errors', 'power loss', 'clock step', 'none', 'lock held'].slice(0, ROUNDS);
  for (const [at, trouble] of troubles.entries()) {
    const servers = at % 2 === 0 && ROUNDS > 1 ? '1 server, kill A' : '2 servers, kill ';
    const words = trouble === 'none' ? '' : `.*${trouble}`;
    expect(lines).toContainEqual(expect.stringMatching(`^round ${at + 1}: ${servers}${words}.* FAULTS$`));
    expect(result.troubles.find(({ name }) => name === trouble)?.acknowledged).toBeGreaterThan(0);
  }
});

describe('a write', () => {
  const acknowledged: Write = { id: 'a', value: '1', isAcknowledged: true };
  const unanswered: Write = { ...acknowledged, isAcknowledged: false };
  const views = (...shown: string[][]): View[] =>
    shown.map((values, at) => ({ name: `view ${at}`, shown: shownBy(values.map((value) => ['a', value])) }));

  test.each<[string, Write, View[], string[]]>([
    ['acknowledged and shown once by every view is right', acknowledged, views(['1'], ['1']), []],
    ['acknowledged and shown by none is lost', acknowledged, views([], []), ['lost']],
    ['acknowledged and not shown by one view is unseen', acknowledged, views(['1'], []), ['unseen']],
    ['acknowledged and shown twice is doubled', acknowledged, views(['1'], ['1', '1']), ['doubled']],
    ['acknowledged and shown otherwise is half-written', acknowledged, views(['1'], ['2']), ['half']],
    ['without an answer may be there', unanswered, views(['1'], ['1']), []],
    ['without an answer may be absent', unanswered, views([], []), []],
    ['without an answer is half-written where one view alone shows it', unanswered, views(['1'], []), ['half']],
    ['without an answer is doubled where it is shown twice', unanswered, views(['1', '1']), ['doubled']],
  ])('%s', (_, write, shown, faults) => {
    expect(evaluate([write], shown).map(({ fault }) => fault)).toEqual(faults);
  });

  test('that nobody made is found by a view that shows nothing else', () => {
    const [view] = views(['1']);
    expect(evaluate([], view ? [{ ...view, isExclusive: true }] : [])).toMatchObject([{ fault: 'doubled', id: 'a' }]);
  });

  test('of a register may be the last acknowledged or a later one, and no earlier one', () => {
    const writes = ['1', '2', '3'].map((value, at) => ({ id: value, value, isAcknowledged: at < 2 }));
    const faultsOf = (value: string) => evaluateRegister('view', writes, value, '0').map(({ fault }) => fault);
    expect(['0', '1', '2', '3', '2 and 3'].map(faultsOf)).toEqual([['lost'], ['lost'], [], [], ['half']]);
  });

  test('that took something away is lost where that still stands', () => {
    expect(evaluateRemovals('view', [acknowledged], new Set(['a']))).toMatchObject([{ fault: 'lost' }]);
    expect(evaluateRemovals('view', [unanswered], new Set(['a']))).toEqual([]);
    expect(evaluateRemovals('view', [acknowledged], new Set())).toEqual([]);
  });
});

test('a counter that disagrees with its list is a finding', () => {
  expect(evaluateCount('view', 2, 2)).toEqual([]);
  expect(evaluateCount('view', 1, 2)).toMatchObject([{ fault: 'unseen' }]);
  expect(evaluateCount('view', 3, 2)).toMatchObject([{ fault: 'doubled' }]);
});
