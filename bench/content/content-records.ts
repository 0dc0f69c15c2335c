import { newApplicationPassword } from '../../content/access/application-passwords.ts';
import { CommentStore } from '../../content/models/comment.ts';
import { ContentItemStore } from '../../content/models/content-item.ts';
import { TermStore } from '../../content/models/term.ts';
import { WebsiteUserStore } from '../../content/models/website-user.ts';
import { itemWords } from '../../models/migrations/versions/0009-item-words.ts';
import type { Service } from '../../models/store/service.ts';

const BATCH = 5000;
const MINUTE = 60_000;
const AUTHORS = 6;
const CATEGORIES = 10;
const TAGS = 12;
/** Posts that have a comment or two. */
const DISCUSSED = 500;

/** Words of which the posts are made; each post says two of them that few others say. */
const WORDS = 'vehicle route harbour depot ferry winter tracker signal bridge tunnel'.split(' ');

/** Numbers of what a website for the bench has. */
export interface BenchSite {
  readonly posts: number;
  /** Path of a post's page, below the address of the website. */
  readonly page: string;
  /** Number of a post that has comments. */
  readonly post: number;
  /** Value of the header by which an editor signs in. */
  readonly authorization: string;
}

/** Stores a website: posts with authors, terms and comments. */
export async function benchSite(service: Service, posts: number): Promise<BenchSite> {
  const { password, stored } = newApplicationPassword();
  const [editor, ...authors] = numbers(AUTHORS).map(authorOf);
  await WebsiteUserStore.insertMany(service, [
    { ...editor, roles: ['editor'], application_passwords: [stored] },
    ...authors,
  ]);
  await TermStore.insertMany(service, [
    ...numbers(CATEGORIES).map((id) => termOf(id, 'category', posts / CATEGORIES)),
    ...numbers(TAGS).map((id) => termOf(100 + id, 'post_tag', posts / TAGS)),
  ]);
  await addPosts(service, 0, posts);
  await indexPosts(service);
  await CommentStore.insertMany(
    service,
    numbers(DISCUSSED).map((number) => commentOn(posts + 1 - number, number)),
  );
  const { date, slug } = postOf(posts - 1);
  const authorization = `Basic ${Buffer.from(`${editor?.username}:${password}`).toString('base64')}`;
  return { posts, post: posts, page: `/${date.slice(0, 10).replaceAll('-', '/')}/${slug}/`, authorization };
}

/** Stores posts, with numbers from one up to another. */
export async function addPosts(service: Service, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, to - start) }, (_, at) => start + at);
    await ContentItemStore.insertMany(service, numbers.map(postOf));
  }
}

/** Stores the words of all posts, as the migration does for a website that has none. */
async function indexPosts(service: Service): Promise<void> {
  const { db } = service.connection;
  if (db) await itemWords.run({ db, count: async () => undefined });
}

function postOf(number: number) {
  const date = new Date(Date.UTC(2020, 0, 1) + number * MINUTE).toISOString().slice(0, 19);
  return {
    id: number + 1,
    type: 'post' as const,
    status: 'publish',
    date,
    date_gmt: date,
    modified: date,
    modified_gmt: date,
    slug: `post-${number}`,
    title: `Post ${number}`,
    title_folded: `post ${number}`,
    content: textOf(number),
    author: number % (AUTHORS + 1),
    categories: [number % (CATEGORIES + 1)],
    tags: [100 + (number % (TAGS + 1))],
    // A form would have a token that is new in each answer.
    comment_status: 'closed',
  };
}

/** Three paragraphs with a link, typographic quotes to be and a list: about a kilobyte. */
function textOf(number: number): string {
  const word = WORDS[number % WORDS.length] ?? '';
  const rare = `${WORDS[(number >> 3) % WORDS.length]}${(number * 7919) % 1000}`;
  return [
    `A paragraph about a "${word}", and how it's seen from <a href="https://example.com/${word}">elsewhere</a>...`,
    `${`Another sentence about the ${rare} follows here -- with dashes. `.repeat(6)}`,
    `<ul>\n<li>First the ${word}</li>\n<li>Then the rest</li>\n</ul>`,
    'And an end that every post has, with <strong>emphasis</strong> :-)',
  ].join('\n\n');
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

function authorOf(id: number) {
  const name = `author${id}`;
  return {
    ...{ id, username: name, username_folded: name, name: `Author ${id}`, slug: name, roles: ['author'] },
    ...{ email: `${name}@example.com`, email_folded: `${name}@example.com`, registered_date: new Date(0) },
  };
}

function termOf(id: number, taxonomy: 'category' | 'post_tag', count: number) {
  return { id, taxonomy, name: `Term ${id}`, name_folded: `term ${id}`, slug: `term-${id}`, count: Math.floor(count) };
}

function commentOn(post: number, number: number) {
  const date = new Date(Date.UTC(2024, 0, 1) + number * MINUTE).toISOString().slice(0, 19);
  return {
    ...{ id: number, post, date, date_gmt: date, status: 'approved' as const },
    ...{ author_name: `Reader ${number}`, author_email: `reader${number}@example.com`, content: 'I saw it, too.' },
  };
}
