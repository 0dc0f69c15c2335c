import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';

import { ONE_WAY } from '../../../resolvers/relations/backward-pages.ts';
import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { accountRoutes } from '../../../rest-bridge/account-routes.ts';
import { useDatabase } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';
import { ingestHost } from '../../hosts/ingest-host.ts';
import { fieldsOf, type List, rest, type Row, ROWS } from './every-list.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
  return () => host.app.close();
});

/** A field of the schema that is a list, or a path of REST that returns one. */
interface Channel {
  readonly name: string;
  /** Name of the root field. */
  readonly field: string;
  /** Type of the record in which the list is; null for a root field, and for a path. */
  readonly parent: string | null;
  /** Field of that record. */
  readonly member: string;
  /** Types of its arguments, by name. */
  readonly args: ReadonlyMap<string, string>;
  /** Arguments that a path gives. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly path?: string;
}

/** Number of objects that a list has at first, and of those that come while it is read. */
const [COUNT, MORE] = runSize([4, 2], [6, 3]);

const CHANNELS = await allChannels();

/** All lists of the schema, and all paths of REST with pages. */
async function allChannels(): Promise<readonly Channel[]> {
  const schema = await gatewaySchema();
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const isList = (type: unknown) => /Connection!?$/.test(String(type));
  const nameOf = (type: unknown) => String(type).replace('!', '');
  // Pages that are pushed continue by themselves.
  const types = Object.values(schema.getTypeMap()).filter((type) => type !== schema.getSubscriptionType());
  const fields = types.filter(isObjectType).flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => isList(field.type))
      .map(({ name: member, type: connection, args }) => {
        const field = queries.find((root) => nameOf(root.type) === nameOf(connection))?.name ?? '';
        const parent = type === schema.getQueryType() ? null : type.name;
        const types = new Map(args.map((argument) => [argument.name, String(argument.type)]));
        return { name: `${type.name}.${member}`, field, parent, member, args: types };
      }),
  );
  const paths = Object.entries(accountRoutes).flatMap(([name, route]) => {
    const root = fields.find((one) => 'query' in route && one.parent === null && one.member === route.query);
    return root && route.root ? [{ ...root, name, path: name.replace('GET ', ''), fixed: route.fixed ?? {} }] : [];
  });
  return [...fields, ...paths];
}

/** The channels by which a row is read. */
function channelsOf({ field, parents = [], args = {} }: Row): readonly Channel[] {
  return CHANNELS.filter((channel) => {
    if (channel.field !== field) return false;
    if (channel.path !== undefined) {
      const { fixed = {} } = channel;
      return Object.keys(fixed).every((name) => args[name] === fixed[name]);
    }
    return channel.parent === null || parents.includes(channel.parent);
  });
}

interface ListedPage {
  readonly ids: readonly string[];
  readonly edges: readonly string[];
  readonly page_info: {
    readonly end_cursor: string | null;
    readonly has_next_page: boolean;
    readonly start_cursor: string | null;
    readonly has_previous_page: boolean;
  };
}

const idOf = (field: string, record: object) =>
  fieldsOf(field)
    .map((name) => String(record[name as keyof typeof record]))
    .join(' ');

/** Reads a page by GraphQL: after a cursor, or for a negative size, before one. */
async function graphqlPage({ field, parent, member, args }: Channel, list: List, first: number, after: string | null) {
  const start = after ?? list.start ?? null;
  const [size, place] = first < 0 ? ['last', 'before'] : ['first', 'after'];
  const given = { ...list.args, [`${size}`]: Math.abs(first), ...(start !== null && { [`${place}`]: start }) };
  const variables = Object.fromEntries(Object.entries(given).filter(([name]) => args.has(name)));
  const names = Object.keys(variables);
  const declared = names.map((name) => `$${name}: ${args.get(name)}`);
  const nodes = `{ ${fieldsOf(field).join(' ')} }`;
  const page = `nodes ${nodes} edges { cursor node ${nodes} }
    page_info { end_cursor has_next_page start_cursor has_previous_page } total_count`;
  const source = `list: ${member}(${names.map((name) => `${name}: $${name}`)}) { ${page} }`;
  const data = await host.ask(
    `query (${declared}) ${parent === null ? `{ ${source} }` : `{ parent: ${recordIn(parent, list)} { ${source} } }`}`,
    list.headers,
    variables,
  );
  const listed = ((data.parent as typeof data | undefined) ?? data).list as {
    readonly nodes: readonly object[];
    readonly edges: readonly { readonly cursor: string; readonly node: object }[];
    readonly page_info: ListedPage['page_info'];
    readonly total_count: number | null;
  };
  expect(listed.edges.map(({ node }) => node)).toEqual(listed.nodes);
  return {
    ids: listed.nodes.map((node) => idOf(field, node)),
    edges: listed.edges.map(({ cursor }) => cursor),
    page_info: listed.page_info,
    total_count: listed.total_count,
  };
}

/** The root field of the record of a type in which a list is. */
function recordIn(type: string, { parents = {} }: List): string {
  if (type === 'Account') return 'account';
  return `${type.toLowerCase()}(${type === 'Group' ? 'group_key' : 'key'}: "${parents[type]}")`;
}

/** Reads a page of two objects and the cursor of the next. */
async function pageOfTwo(channel: Channel, list: List, after: string | null) {
  if (channel.path === undefined) {
    const { ids, page_info } = await graphqlPage(channel, list, 2, after);
    return { ids, next: page_info.has_next_page ? page_info.end_cursor : null };
  }
  const given = Object.entries(list.args ?? {}).filter(([name]) => !channel.path?.includes(`{${name}}`));
  const query = new URLSearchParams([
    ['size', '2'],
    ...given.filter(([name]) => !(name in (channel.fixed ?? {}))).map(([name, value]) => [name, String(value)]),
  ]);
  const start = after ?? list.start;
  if (start !== undefined) query.set('cursor', start);
  const path = channel.path.replace(/\{(\w+)\}/, (_, name) => String(list.args?.[name]));
  const answer = await rest(host, 'GET', `${path}?${query}`, list.headers);
  const cursor: string | null = answer.cursor ?? null;
  if (cursor !== null) expect(cursor).toMatch(/^[\w-]{22,150}$/);
  const [records = []] = Object.values(answer) as object[][];
  // The log of changes has no end.
  const isLast = channel.field === 'changes' && records.length < 2;
  return { ids: records.map((record) => idOf(channel.field, record)), next: isLast ? null : cursor };
}

/** Progress of a channel through a list. */
interface Reader {
  readonly channel: Channel;
  /** True to read from the end. */
  readonly isBack: boolean;
  readonly seen: string[];
  next: string | null;
}

/** Reads on; returns the object of the page at which the next one begins. */
async function nextPage(reader: Reader, list: List): Promise<string> {
  if (reader.isBack) {
    const { ids, page_info } = await graphqlPage(reader.channel, list, -2, reader.next);
    reader.seen.unshift(...ids);
    reader.next = page_info.has_previous_page ? page_info.start_cursor : null;
    return ids[0] ?? '';
  }
  const { ids, next } = await pageOfTwo(reader.channel, list, reader.next);
  reader.seen.push(...ids);
  reader.next = next;
  return ids.at(-1) ?? '';
}

/** Makes the first objects of a list. */
async function opened(list: List, count: number): Promise<List> {
  for (let number = 0; number < count; number++) await list.make(number);
  return list;
}

test('Every list of the API is in the table', () => {
  const read = new Set(ROWS.flatMap(channelsOf).map(({ name }) => name));
  expect(CHANNELS.map(({ name }) => name).filter((name) => !read.has(name))).toEqual([]);
});

describe.each(ROWS.map((row) => [`${row.field}${row.args ? ', newest first' : ''}`, row] as const))('%s', (_, row) => {
  const channels = channelsOf(row);
  const [root] = channels as readonly [Channel];
  const whole = async (list: List) => (await graphqlPage(root, list, 1000, null)).ids;
  let few: List;
  beforeAll(async () => {
    few = await opened(await row.open(host), 4);
  });

  test(`${channels.map(({ name }) => name).join(', ')}: repeats and loses nothing while objects come and go`, async () => {
    const list = await row.open(host);
    const [first = '', ...others] = Object.keys(list.leave);
    await goThrough(list, channels, first);
    // A list in a record is that of the root field.
    const roots = channels.filter(({ parent }) => parent === null);
    for (const other of others) await goThrough(await row.open(host), roots, other);
    if (root.field === ONE_WAY) return;
    for (const way of runSize([first], [first, ...others])) await goThrough(await row.open(host), [root], way, true);
  });

  /** Reads a list page by page, by some channels at the same time, while its objects leave in one way and others come. */
  async function goThrough(list: List, by: readonly Channel[], way: string, isBack = false) {
    await opened(list, COUNT);
    const before = await whole(list);
    const gone = new Set<string>();
    const readers = by.map((channel): Reader => ({ channel, isBack, seen: [], next: null }));
    for (let number = COUNT, reading = readers; ; ) {
      const pages = reading.map((reader) => nextPage(reader, list));
      const last = new Set((await Promise.all(pages)).map((id) => before.indexOf(id)));
      reading = reading.filter(({ next }) => next !== null);
      if (reading.length === 0) break;
      // The one after which the next page begins, and sometimes the one with which it does.
      const count = (readers[0]?.seen.length ?? 0) % 4 === 0 ? 2 : 1;
      const following = (at: number) =>
        isBack ? before.slice(Math.max(0, at - count + 1), at + 1) : before.slice(at, at + count);
      for (const one of [...last].flatMap(following)) {
        if (!gone.has(one)) await list.leave[way]?.(one);
        gone.add(one);
      }
      if (number < COUNT + MORE) await list.make(number++);
    }
    const behind = await whole(list);
    expect(behind, way).not.toEqual(before);
    const throughout = before.filter((one) => behind.includes(one));
    const untouched = throughout.filter((one) => !gone.has(one));
    expect(gone.size).toBeGreaterThan(0);
    for (const { channel, seen } of readers) {
      const what = `${channel.name}, ${way}${isBack ? ', from the end' : ''}`;
      expect(
        seen.filter((one, at) => seen.indexOf(one) !== at),
        what,
      ).toEqual([]);
      expect(seen, what).toEqual(expect.arrayContaining(throughout));
      expect(
        seen.filter((one) => untouched.includes(one)),
        what,
      ).toEqual(untouched);
    }
  }

  test.skipIf(root.field === ONE_WAY)(
    'is read from its end, too, and says how many there are, if an index does',
    async () => {
      const all = await whole(few);
      const seen: string[] = [];
      for (let before: string | null = null, isMore = true; isMore; ) {
        const { ids, page_info, total_count } = await graphqlPage(root, few, -2, before);
        seen.unshift(...ids);
        expect([all.length, null]).toContain(total_count);
        expect(page_info.has_next_page).toBe(before !== null);
        before = page_info.start_cursor;
        isMore = page_info.has_previous_page;
      }
      expect(seen).toEqual(all);
      const { edges } = await graphqlPage(root, few, 1000, null);
      for (const [at, cursor] of edges.entries()) {
        const { ids, edges: cursors } = await graphqlPage(root, few, -2, cursor);
        expect([ids, cursors]).toEqual([all, edges].map((list) => list.slice(Math.max(0, at - 2), at)));
      }
    },
  );

  test('goes on after the last end_cursor, also later', async () => {
    const { ids, edges, page_info } = await graphqlPage(root, few, 1000, null);
    const { end_cursor } = page_info;
    expect(end_cursor).toBe(edges.at(-1));
    // A cursor of the log of changes names the second in which it was issued.
    const empty = { end_cursor: root.field === 'changes' ? expect.stringMatching(/^c/) : null, start_cursor: null };
    const next = await graphqlPage(root, few, 1000, end_cursor);
    expect(next).toEqual({
      ids: [],
      edges: [],
      page_info: { ...empty, has_next_page: false, has_previous_page: true },
      total_count: next.total_count,
    });
    const [leave] = Object.values(few.leave);
    await leave?.(ids.at(-1) ?? '');
    await few.make(4);
    const all = await whole(few);
    const added = all.slice(all.findLastIndex((one) => ids.includes(one)) + 1);
    expect((await graphqlPage(root, few, 1000, end_cursor)).ids).toEqual(added);
  });

  test('goes on after the cursor of each edge, and from those of version 0.2: a key, or one after it', async () => {
    const { ids, edges, page_info } = await graphqlPage(root, few, 50, null);
    expect(page_info).toMatchObject({ start_cursor: edges[0], end_cursor: edges.at(-1), has_next_page: false });
    for (const [at, cursor] of edges.entries()) {
      const next = await graphqlPage(root, few, 2, cursor);
      expect(next.ids).toEqual(ids.slice(at + 1, at + 3));
      const [start_cursor = null] = next.edges;
      const isMore = at + 3 < ids.length;
      expect(next.page_info).toMatchObject({ has_next_page: isMore, start_cursor, has_previous_page: true });
      // The log of changes was read in the same way then.
      if (row.field === 'changes') continue;
      const key = row.field === 'tripPoints' ? String(at) : ids[at];
      expect((await graphqlPage(root, few, 50, `${key}`)).ids).toEqual(ids.slice(at));
      expect((await graphqlPage(root, few, 50, `>${key}`)).ids).toEqual(ids.slice(at + 1));
    }
  });
});
