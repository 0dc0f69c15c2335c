import { evaluate, evaluateCount } from '../evaluate.ts';
import { madePost } from '../made-content.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Comment {
  readonly id: number;
  readonly content: { readonly raw: string };
}

const MAX_A_ROUND = 40;

/** Comments on a post of the round. */
export const comments: WriteKind = {
  name: 'comments (content)',
  begin: async ({ number, fleet, newLedger }, server) => {
    const headers = fleet.website;
    const ledger = newLedger();
    const post = await madePost(server, `Commented ${number}`, headers);
    const ids = new Map<string, number>();
    let next = 0;
    return {
      ledger,
      writers: 2,
      write: async (to) => {
        const content = `Comment ${number}-${next++}`;
        const answer = await ledger.send([ledger.note(content, content)], () =>
          to.ask('/wp-json/wp/v2/comments', { headers, body: { post, content } }),
        );
        if (answer) ids.set(content, jsonBody<Comment>(answer).id);
        return next < MAX_A_ROUND;
      },
      verify: async (from) => {
        const { items, total } = await from.list<Comment>(`/comments?context=edit&post=${post}`, headers);
        const single: Comment[] = [];
        for (const id of ids.values()) {
          single.push((await from.read<Comment>(`/wp-json/wp/v2/comments/${id}?context=edit`, headers)).json);
        }
        const shown = (list: readonly Comment[]) => shownBy(list.map(({ content }) => [content.raw, content.raw]));
        return [
          ...evaluate(ledger.writes, [
            { name: 'GET /comments?post', shown: shown(items), isExclusive: true },
            { name: 'GET /comments/{id}', shown: shown(single), covers: 'acknowledged' },
          ]),
          ...evaluateCount('X-WP-Total of GET /comments?post', total, items.length),
        ];
      },
    };
  },
};
