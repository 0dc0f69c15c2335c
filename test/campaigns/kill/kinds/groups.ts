import { evaluate } from '../evaluate.ts';
import { UnexpectedAnswer } from '../service.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Group {
  readonly key: string;
  readonly name: string;
  readonly children: readonly Group[];
}

const MAX_A_ROUND = 40;

/** Groups below a group of the round, made by REST and by GraphQL alternately. */
export const groups: WriteKind = {
  name: 'groups (REST, GraphQL)',
  begin: async ({ number, fleet, newLedger }, server) => {
    const { headers } = fleet.owner;
    const ledger = newLedger();
    const keys = new Map<string, string>();
    const made = await server.ask('/api/v2/groups', { headers, body: { name: `Round ${number}` } });
    if (made.status > 299) throw new UnexpectedAnswer(`POST /groups answered ${made.status} ${made.text}`);
    const parent = jsonBody<Group>(made).key;
    let next = 0;
    return {
      ledger,
      writers: 2,
      write: async (to) => {
        const at = next++;
        const name = `Group ${number}-${at}`;
        const query = `mutation { group: createGroup(name: "${name}", parent_group_key: "${parent}") { key } }`;
        const answer = await ledger.send([ledger.note(name, name)], () =>
          at % 2 === 0
            ? to.ask('/api/v2/groups', { headers, body: { name, parent_group_key: parent } })
            : to.ask('/graphql', { headers, body: { query } }),
        );
        if (answer) keys.set(name, keyOf(answer));
        return at < MAX_A_ROUND;
      },
      verify: async (from) => {
        const { json } = await from.read<Group>(`/api/v2/group/${parent}`, headers);
        const below = await from.query<{ groups: Group[] }>(
          `{ groups(group_keys: ["${parent}"]) { children { name } } }`,
          headers,
        );
        const single: [string, string][] = [];
        for (const { id } of ledger.acknowledged) {
          const { text, status } = await from.ask(`/api/v2/group/${keys.get(id)}`, { headers });
          if (status === 200) single.push([id, (JSON.parse(text) as Group).name]);
        }
        const named = (list: readonly Group[]) => shownBy(list.map(({ name }) => [name, name]));
        return evaluate(ledger.writes, [
          { name: 'GET /group/{parent}', shown: named(json.children), isExclusive: true },
          { name: 'GraphQL groups', shown: named(below.groups[0]?.children ?? []), isExclusive: true },
          { name: 'GET /group/{key}', shown: shownBy(single), covers: 'acknowledged' },
        ]);
      },
    };
  },
};

function keyOf(answer: { readonly text: string }): string {
  const body = jsonBody<{ key?: string; data?: { group: { key: string } | null } }>(answer);
  const key = body.key ?? body.data?.group?.key;
  if (key === undefined) throw new UnexpectedAnswer(answer.text);
  return key;
}
