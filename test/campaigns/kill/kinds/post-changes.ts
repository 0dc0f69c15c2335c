import { evaluate, evaluateRegister } from '../evaluate.ts';
import { madePost } from '../made-content.ts';
import type { WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Text {
  readonly content: { readonly raw: string };
}

const MAX_A_ROUND = 30;

/** Changes of one post, each of which is kept as a revision. */
export const postChanges: WriteKind = {
  name: 'changes of posts (content)',
  begin: async ({ number, fleet, newLedger }, server) => {
    const headers = fleet.website;
    const ledger = newLedger();
    const id = await madePost(server, `Changed ${number}`, headers);
    let next = 0;
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const content = `Text ${number}-${next++}`;
        await ledger.send([ledger.note(content, content)], () =>
          to.ask(`/wp-json/wp/v2/posts/${id}`, { headers, body: { content } }),
        );
        return next < MAX_A_ROUND;
      },
      verify: async (from) => {
        const { json } = await from.read<Text>(`/wp-json/wp/v2/posts/${id}?context=edit`, headers);
        const { items } = await from.list<Text>(`/posts/${id}/revisions?context=edit`, headers);
        const revisions = items.map(({ content }) => content.raw).filter((content) => content !== 'unchanged');
        const shown = shownBy(revisions.map((content) => [content, content]));
        const current = json.content.raw;
        const isStored = current === 'unchanged' || shown.has(current);
        return [
          ...evaluateRegister('GET /posts/{id}', ledger.writes, current, 'unchanged'),
          ...evaluate(ledger.writes, [{ name: 'GET /posts/{id}/revisions', shown, isExclusive: true }]),
          ...(isStored
            ? []
            : [{ fault: 'half', id: current, detail: 'the post has it, and no revision does' } as const]),
        ];
      },
    };
  },
};
