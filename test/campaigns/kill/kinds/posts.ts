import { evaluate, evaluateCount } from '../evaluate.ts';
import { madeTerm } from '../made-content.ts';
import { PUBLIC_URL } from '../fleet.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Post {
  readonly id: number;
  readonly link: string;
  readonly title: { readonly raw: string };
  readonly content: { readonly raw: string };
  readonly tags: readonly number[];
}

const MAX_A_ROUND = 30;
/** Posts of a round that are also looked at on the website. */
const PAGES_OPENED = 3;

/** Published posts of a category and a tag of the round. */
export const posts: WriteKind = {
  name: 'posts (content)',
  begin: async ({ number, fleet, newLedger }, server) => {
    const headers = fleet.website;
    const ledger = newLedger();
    const category = await madeTerm(server, 'categories', `Round ${number}`, headers);
    const tag = await madeTerm(server, 'tags', `Round ${number}`, headers);
    const made = new Map<string, Post>();
    let next = 0;
    return {
      ledger,
      writers: 2,
      write: async (to) => {
        const at = next++;
        const title = `Post ${number} ${at}`;
        const content = `Said in round ${number}, as number ${at}`;
        const body = { title, content, status: 'publish', categories: [category], tags: [tag] };
        const answer = await ledger.send([ledger.note(title, content)], () =>
          to.ask('/wp-json/wp/v2/posts', { headers, body }),
        );
        if (answer) made.set(title, jsonBody<Post>(answer));
        return at < MAX_A_ROUND;
      },
      verify: async (from) => {
        const byCategory = await from.list<Post>(`/posts?context=edit&categories=${category}`, headers);
        const byTag = await from.list<Post>(`/posts?context=edit&tags=${tag}`, headers);
        const shown = (list: readonly Post[]) => shownBy(list.map(({ title, content }) => [title.raw, content.raw]));
        const single: Post[] = [];
        const opened: [string, string][] = [];
        for (const [title, { id, link }] of made) {
          single.push((await from.read<Post>(`/wp-json/wp/v2/posts/${id}?context=edit`, headers)).json);
          if (opened.length >= PAGES_OPENED) continue;
          const page = await from.ask(link.slice(PUBLIC_URL.length), {});
          const { value } = ledger.note(title, '');
          opened.push([title, page.status === 200 && page.text.includes(value) ? value : `${page.status}`]);
        }
        const inCategory = await from.read<{ count: number }>(`/wp-json/wp/v2/categories/${category}`);
        const inTag = await from.read<{ count: number }>(`/wp-json/wp/v2/tags/${tag}`);
        return [
          ...evaluate(ledger.writes, [
            { name: 'GET /posts?categories', shown: shown(byCategory.items), isExclusive: true },
            { name: 'GET /posts?tags', shown: shown(byTag.items), isExclusive: true },
            { name: 'GET /posts/{id}', shown: shown(single), covers: 'acknowledged' },
          ]),
          ...evaluate(
            ledger.acknowledged.filter(({ id }) => opened.some(([title]) => title === id)),
            [{ name: 'the page of the post', shown: shownBy(opened) }],
          ),
          ...evaluateCount('X-WP-Total of GET /posts?categories', byCategory.total, byCategory.items.length),
          ...evaluateCount('X-WP-Total of GET /posts?tags', byTag.total, byTag.items.length),
          ...evaluateCount(`count of category Round ${number}`, inCategory.json.count, byCategory.items.length),
          ...evaluateCount(`count of tag Round ${number}`, inTag.json.count, byTag.items.length),
        ];
      },
    };
  },
};
