import { evaluate, evaluateCount } from '../evaluate.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Term {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

const PATHS = ['categories', 'tags'] as const;
const MAX_A_ROUND = 30;

/** Categories and tags. */
export const terms: WriteKind = {
  name: 'categories and tags (content)',
  begin: async ({ number, fleet, newLedger }) => {
    const headers = fleet.website;
    const ledger = newLedger();
    const links = new Map<string, string>();
    let next = 0;
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const at = next++;
        const path = PATHS[at % PATHS.length] ?? 'tags';
        const name = `Term r${number}e ${at}`;
        const description = `${path} ${at}`;
        const answer = await ledger.send([ledger.note(name, description)], () =>
          to.ask(`/wp-json/wp/v2/${path}`, { headers, body: { name, description } }),
        );
        if (answer) links.set(name, `/wp-json/wp/v2/${path}/${jsonBody<Term>(answer).id}`);
        return next < MAX_A_ROUND;
      },
      verify: async (from) => {
        const found: Term[] = [];
        const findings = [];
        for (const path of PATHS) {
          const { items, total } = await from.list<Term>(`/${path}?search=r${number}e`, headers);
          found.push(...items);
          findings.push(...evaluateCount(`X-WP-Total of GET /${path}?search`, total, items.length));
        }
        const single: Term[] = [];
        for (const link of links.values()) single.push((await from.read<Term>(link, headers)).json);
        const shown = (list: readonly Term[]) => shownBy(list.map(({ name, description }) => [name, description]));
        const views = [
          { name: 'lists of terms', shown: shown(found), isExclusive: true },
          { name: 'GET of the term', shown: shown(single), covers: 'acknowledged' as const },
        ];
        return [...evaluate(ledger.writes, views), ...findings];
      },
    };
  },
};
