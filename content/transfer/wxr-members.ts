import { SaxesParser } from 'saxes';

import { slugOf } from '../rendering/slug.ts';
import { typeOfName } from '../media/files/allowed-types.ts';
import { FileFault, type Member } from './json-members.ts';

/** An element with its text and the elements in it. */
interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly below: Node[];
}

/** Names of the lists of items by the types in the file; other types are menus and the like. */
const LISTS: Readonly<Record<string, string>> = { post: 'posts', page: 'pages', attachment: 'media' };
const STATUSES: Readonly<Record<string, string>> = { '1': 'approved', '0': 'hold' };

/**
 * Reads the members of WordPress's exchange file (WXR 1.2) from its bytes, as an import takes them. It has no files, passwords,
 * roles, revisions or settings.
 *
 * @throws FileFault for what is no such file
 */
export async function* wxrMembers(chunks: AsyncIterable<Buffer>): AsyncGenerator<Member> {
  const file = new ExchangeFile();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) {
      file.write(decoder.decode(chunk, { stream: true }));
      yield* file.taken();
    }
    file.close();
  } catch (error) {
    throw error instanceof FileFault ? error : new FileFault(' is not an exchange file of WordPress', { cause: error });
  }
  yield* file.taken();
  for (const [name, value] of Object.entries(file.head)) yield { name, value, at: null };
}

class ExchangeFile {
  readonly #parser = new SaxesParser();
  readonly #open: Node[] = [];
  readonly #counts = new Map<string, number>();
  readonly #ids = {
    category: new Map<string, number>(),
    post_tag: new Map<string, number>(),
    author: new Map<string, number>(),
  };
  #members: Member[] = [];
  /** Members other than long lists. */
  readonly head = { base_url: '', users: [] as object[], categories: [] as object[], tags: [] as object[] };

  constructor() {
    this.#parser.on('opentag', ({ name, attributes }) => {
      const node = { name, attributes, text: '', below: [] };
      // What the channel contains is taken when it ends, and not kept in the channel.
      if (this.#open.length > 2) this.#open.at(-1)?.below.push(node);
      this.#open.push(node);
    });
    const add = (text: string) => {
      const node = this.#open.at(-1);
      if (node && this.#open.length > 2) node.text += text;
    };
    this.#parser.on('text', add);
    this.#parser.on('cdata', add);
    this.#parser.on('closetag', () => {
      const node = this.#open.pop();
      if (node && this.#open.length === 2) this.#take(node);
    });
    this.#parser.on('error', (error) => {
      throw error;
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
  }

  /** Returns the members that were read since the last call. */
  taken(): readonly Member[] {
    const members = this.#members;
    this.#members = [];
    return members;
  }

  #take(node: Node): void {
    const of = (name: string) => textIn(node, name);
    const { category, post_tag, author } = this.#ids;
    if (node.name === 'wp:base_blog_url') this.head.base_url = node.text;
    else if (node.name === 'wp:author') {
      const [id, username] = [Number(of('wp:author_id')), of('wp:author_login')];
      author.set(username, id);
      const [name, first_name, last_name] = ['display', 'first', 'last'].map((part) => of(`wp:author_${part}_name`));
      const email = of('wp:author_email');
      this.head.users.push({ id, username, slug: slugOf(username), email, name, first_name, last_name });
    } else if (node.name === 'wp:category') {
      const [id, slug] = [Number(of('wp:term_id')), of('wp:category_nicename')];
      category.set(slug, id);
      const [name, description] = [of('wp:cat_name'), of('wp:category_description')];
      const parent = category.get(of('wp:category_parent')) ?? 0;
      this.head.categories.push({ id, slug, name, parent, description });
    } else if (node.name === 'wp:tag') {
      const [id, slug] = [Number(of('wp:term_id')), of('wp:tag_slug')];
      post_tag.set(slug, id);
      this.head.tags.push({ id, slug, name: of('wp:tag_name'), description: of('wp:tag_description') });
    } else if (node.name === 'item') this.#takeItem(node, of);
  }

  #takeItem(node: Node, of: (name: string) => string): void {
    const list = LISTS[of('wp:post_type')];
    if (list === undefined) return;
    const id = Number(of('wp:post_id'));
    const meta = new Map(
      childrenOf(node, 'wp:postmeta').map((one) => [textIn(one, 'wp:meta_key'), textIn(one, 'wp:meta_value')]),
    );
    const terms = (domain: string) =>
      childrenOf(node, 'category').flatMap(({ attributes }) =>
        attributes.domain === domain ? [attributes.nicename ?? ''] : [],
      );
    const numbers = (domain: 'category' | 'post_tag') =>
      terms(domain).flatMap((slug) => this.#ids[domain].get(slug) ?? []);
    const date = dateOf(of('wp:post_date')) ?? '1970-01-01T00:00:01';
    const date_gmt = dateOf(of('wp:post_date_gmt'));
    const modified = dateOf(of('wp:post_modified')) ?? date;
    const old = [...meta].flatMap(([key, slug]) => (key === '_wp_old_slug' ? [slug] : []));
    const template = meta.get('_wp_page_template') ?? '';
    const [text, summary] = [{ raw: of('content:encoded') }, { raw: of('excerpt:encoded') }];
    const parent = Number(of('wp:post_parent'));
    this.#add(list, {
      ...{ id, date, date_gmt, modified, modified_gmt: dateOf(of('wp:post_modified_gmt')) ?? date_gmt ?? modified },
      ...{ slug: of('wp:post_name'), status: of('wp:status'), guid: { raw: of('guid') }, title: { raw: of('title') } },
      ...(list === 'media'
        ? { description: text, caption: summary, post: parent }
        : { content: text, excerpt: summary, parent }),
      author: this.#ids.author.get(of('dc:creator')) ?? 0,
      menu_order: Number(of('wp:menu_order')),
      password: of('wp:post_password'),
      sticky: of('wp:is_sticky') === '1',
      template: template === 'default' ? '' : template,
      comment_status: of('wp:comment_status') || 'closed',
      ping_status: of('wp:ping_status') || 'closed',
      featured_media: Number(meta.get('_thumbnail_id') ?? 0),
      alt_text: meta.get('_wp_attachment_image_alt') ?? '',
      categories: numbers('category'),
      tags: numbers('post_tag'),
      format: terms('post_format')[0]?.replace(/^post-format-/, ''),
      source_url: of('wp:attachment_url'),
      mime_type: typeOfName(of('wp:attachment_url')) ?? '',
      former_paths: old.map((slug) => `${date.slice(0, 10).replaceAll('-', '/')}/${slug}`),
    });
    for (const comment of childrenOf(node, 'wp:comment')) this.#add('comments', commentOf(comment, id));
  }

  #add(name: string, value: object): void {
    const at = this.#counts.get(name) ?? 0;
    this.#counts.set(name, at + 1);
    this.#members.push({ name, value, at });
  }
}

function commentOf(node: Node, post: number): object {
  const of = (name: string) => textIn(node, `wp:comment_${name}`);
  const date = dateOf(of('date'));
  return {
    ...{ id: Number(of('id')), post, parent: Number(of('parent')), author: Number(of('user_id')) },
    ...{ author_name: of('author'), author_email: of('author_email'), author_url: of('author_url') },
    ...{ author_ip: of('author_IP'), date, date_gmt: dateOf(of('date_gmt')) ?? date, content: { raw: of('content') } },
    ...{ status: STATUSES[of('approved')] ?? of('approved'), type: of('type') || 'comment' },
  };
}

function childrenOf({ below }: Node, name: string): readonly Node[] {
  return below.filter((node) => node.name === name);
}

function textIn({ below }: Node, name: string): string {
  return below.find((node) => node.name === name)?.text ?? '';
}

/** A date as the content interface writes it; null for none, which WordPress writes with zeros. */
function dateOf(text: string): string | null {
  return /^[1-9]\d{3}-/.test(text) ? text.replace(' ', 'T') : null;
}
