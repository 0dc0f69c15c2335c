/** A post or page of the demonstration. */
interface DemoText {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  /** Days before the demonstration was made. */
  readonly age: number;
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
  readonly sticky?: boolean;
}

const NEWS = 1;
const GUIDES = 2;
const MAPS = 3;
const TOKENS = 4;

const POSTS: readonly DemoText[] = [
  {
    id: 1,
    slug: 'a-map-in-five-minutes',
    title: 'A map of trips in five minutes',
    age: 9,
    categories: [GUIDES],
    tags: [MAPS, TOKENS],
    sticky: true,
    content:
      'Put <code>&lt;service-trips-map&gt;</code> on a page, give it a vehicle and a token, and it draws the trips of a day.\n\n' +
      'The token is made by your server: it names one vehicle, one page and a window of time, and it opens nothing else.\n\n' +
      '<!--more-->\n\n' +
      'What lies outside of the window never leaves the service -- not by geometry, not by totals, not by a count.',
  },
  {
    id: 2,
    slug: 'one-line-a-trip',
    title: 'One line a trip',
    age: 5,
    categories: [GUIDES],
    tags: [MAPS],
    content:
      'A trip is everything from "engine on" to "engine off". Its line is simplified for the screen before it is sent, so a ' +
      'thousand trips fit into a page that is as light as a photograph.',
  },
  {
    id: 3,
    slug: 'this-site-speaks-wordpress',
    title: 'This site speaks WordPress',
    age: 1,
    categories: [NEWS],
    content:
      'Posts, pages, media and comments of this site are served by the REST API of WordPress 4.9, so the clients that you know ' +
      'work here unchanged. Try <code>/wp-json/wp/v2/posts</code> :)',
  },
];

const PAGES: readonly DemoText[] = [
  {
    id: 4,
    slug: 'about',
    title: 'About',
    age: 20,
    content: 'This is the demonstration of Waybridge. Its vehicles, trips and people are simulated.',
  },
  {
    id: 5,
    slug: 'support',
    title: 'Support',
    age: 20,
    content: 'Please ask questions where the source is hosted, and include your version and what you saw.',
  },
];

/** The login of the author of the demonstration's content; it cannot sign in. */
export const DEMO_WRITER = 'waybridge';

/** The content of the demonstration's website, in the format of imports. */
export function demoContent(created: Date): unknown {
  return {
    settings: { title: 'Waybridge', description: 'Vehicle telemetry for developers' },
    users: [
      {
        id: 1,
        username: DEMO_WRITER,
        slug: DEMO_WRITER,
        name: 'Waybridge',
        roles: ['author'],
        registered_date: created.toISOString(),
      },
    ],
    categories: [
      { id: NEWS, name: 'News', slug: 'news' },
      { id: GUIDES, name: 'Guides', slug: 'guides' },
    ],
    tags: [
      { id: MAPS, name: 'maps', slug: 'maps' },
      { id: TOKENS, name: 'tokens', slug: 'tokens' },
    ],
    posts: POSTS.map((text) => ({ ...published(text, created), comment_status: 'open' })),
    pages: PAGES.map((text) => published(text, created)),
  };
}

function published({ age, title, content, ...text }: DemoText, created: Date): object {
  const date = new Date(created.getTime() - age * 24 * 60 * 60 * 1000).toISOString().slice(0, 19);
  return {
    ...text,
    guid: { raw: `urn:waybridge:demonstration:${text.id}` },
    title: { raw: title },
    content: { raw: content },
    status: 'publish',
    author: 1,
    date,
    date_gmt: date,
    modified: date,
    modified_gmt: date,
  };
}
