/** A document of content as `content import` reads it, in which everything that the website shows occurs. */
export const OLD_SITE = 'https://old.example';

const AT = '10:00:00';
const dated = (day: string) => ({
  date: `${day}T${AT}`,
  date_gmt: `${day}T${AT}`,
  modified: `${day}T11:00:00`,
  modified_gmt: `${day}T11:00:00`,
});

/** A title that would end elements and attributes, begin a script, and break XML. */
export const HOSTILE_TITLE = `</title><script>alert(1)</script>"><img src=x onerror=alert(2)> &lt;b&gt; ]]> \u0001`;

const post = (id: number, day: string, slug: string, title: string, more: object = {}) => ({
  ...dated(day),
  id,
  slug,
  status: 'publish',
  type: 'post',
  title: { raw: title },
  content: { raw: `Text of ${slug}.` },
  excerpt: { raw: '' },
  author: 1,
  categories: [1],
  tags: [],
  ...more,
});

const page = (id: number, slug: string, title: string, more: object = {}) => ({
  ...dated('2024-01-01'),
  id,
  slug,
  status: 'publish',
  type: 'page',
  title: { raw: title },
  content: { raw: `Text of ${slug}.` },
  author: 1,
  parent: 0,
  menu_order: id,
  ...more,
});

const comment = (id: number, of: number, parent: number, status: string, author: string) => ({
  ...dated('2024-03-05'),
  id,
  post: of,
  parent,
  status,
  type: 'comment',
  author: 0,
  author_name: author,
  author_email: `${author}@secret.example`,
  author_url: '',
  content: { raw: `Remark of ${author}` },
});

/** The content of the tests. */
export function websiteDocument() {
  return {
    base_url: OLD_SITE,
    settings: { title: 'Field notes', description: 'From the road', posts_per_page: 2 },
    users: [
      { id: 1, username: 'mara', email: 'mara@secret.example', slug: 'mara', roles: ['author'], name: 'Mara M' },
      { id: 2, username: 'silent', email: 'silent@secret.example', slug: 'silent', roles: ['editor'], name: 'Silent' },
    ],
    categories: [
      { id: 1, name: 'News', slug: 'news', description: 'What is new' },
      { id: 2, name: 'Releases', slug: 'releases', parent: 1 },
      { id: 3, name: 'Empty', slug: 'empty' },
    ],
    tags: [{ id: 4, name: 'C++ &amp; more', slug: 'c-more' }],
    media: [
      {
        ...dated('2024-01-01'),
        id: 9,
        slug: 'diagram',
        title: { raw: 'Diagram' },
        author: 1,
        mime_type: 'image/png',
        alt_text: 'Two wires',
        source_url: `${OLD_SITE}/wp-content/uploads/diagram.png`,
        media_details: { width: 40, height: 30, sizes: {} },
      },
    ],
    pages: [
      page(10, 'about', 'About'),
      page(11, 'team', 'Team', { parent: 10 }),
      page(12, 'hidden', 'Hidden page', { status: 'draft', parent: 10 }),
    ],
    posts: [
      post(20, '2024-03-01', 'first', 'First', { comment_status: 'open' }),
      post(21, '2024-03-02', 'second', HOSTILE_TITLE, { categories: [2], tags: [4], featured_media: 9 }),
      post(22, '2024-04-03', 'third-%e6%97%a5', 'Third 日', {
        content: { raw: '<script>alert(3)</script><p onclick="window.clicked = true">Zebra</p>' },
      }),
      post(23, '2024-04-04', 'locked', 'Locked', {
        ...{ password: 'sesame', comment_status: 'open' },
        content: { raw: 'The zebra is secret' },
      }),
      post(24, '2024-04-05', 'sketch', 'Sketch', { status: 'draft', content: { raw: 'A secret zebra' } }),
      post(25, '2024-04-06', 'own', 'Own', { status: 'private', content: { raw: 'A secret zebra' } }),
    ],
    comments: [
      comment(1, 20, 0, 'approved', 'Ann'),
      comment(2, 20, 1, 'approved', 'Ben'),
      comment(3, 20, 0, 'hold', 'Waiting'),
      comment(4, 23, 0, 'approved', 'Insider'),
    ],
  };
}
