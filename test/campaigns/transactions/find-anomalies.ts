/** An operation of a transaction on a list: it appends a value that nobody else appends, or has read all values. */
export type Operation =
  | { readonly key: number; readonly appended: number }
  | { readonly key: number; readonly read: readonly number[] };

/** A transaction, as its client has seen it. */
export interface Transaction {
  readonly id: number;
  readonly operations: readonly Operation[];
  /** `unknown` if there was no answer to what would have committed it. */
  readonly outcome: 'committed' | 'aborted' | 'unknown';
  /** When it was begun, and when its client knew its outcome, in the order of all such moments. */
  readonly began: number;
  readonly ended: number;
}

/** Something that a serializable database would not have done. */
export interface Anomaly {
  readonly kind: string;
  readonly detail: string;
}

/**
 * A reason why a transaction comes before another: what it wrote was written over, or read; it read what was written over; it
 * had ended before the other began.
 */
type Reason = 'ww' | 'wr' | 'rw' | 'time';

/** Transactions that come directly after each, with the reasons. */
type Graph = ReadonlyMap<number, ReadonlyMap<number, ReadonlySet<Reason>>>;

/**
 * Finds anomalies of a history of lists, as Elle does (Kingsbury and Alvaro, VLDB 2020): the lists that were read tell the
 * order of appends, from which follows which transaction comes before which. The names are those of Adya: G0, G1a, G1b, G1c,
 * G-single, G2; of cycles that only exist because a transaction had ended before another began, followed by `-realtime`.
 */
export function findAnomalies(history: readonly Transaction[]): Anomaly[] {
  const anomalies: Anomaly[] = [];
  const appenders = appendersOf(history);
  const orders = ordersOf(history, anomalies);
  const observed = new Set([...orders.values()].flat().map((value) => appenders.get(value)?.id));
  const isCommitted = ({ id, outcome }: Transaction) => outcome === 'committed' || observed.has(id);
  for (const transaction of history) checkReads(transaction, appenders, anomalies);
  for (const transaction of history) checkLost(transaction, orders, anomalies);
  const graph = graphOf(history.filter(isCommitted), appenders, orders);
  for (const component of componentsOf(graph, ALL)) anomalies.push(nameOf(graph, component));
  return anomalies;
}

const ALL: readonly Reason[] = ['ww', 'wr', 'rw', 'time'];

function appendersOf(history: readonly Transaction[]): ReadonlyMap<number, Transaction> {
  const appenders = new Map<number, Transaction>();
  for (const transaction of history)
    for (const operation of transaction.operations)
      if ('appended' in operation) appenders.set(operation.appended, transaction);
  return appenders;
}

/**
 * The longest list that was read of each key; every other must be its beginning. What was not committed may have read its own
 * appends.
 */
function ordersOf(history: readonly Transaction[], anomalies: Anomaly[]): ReadonlyMap<number, readonly number[]> {
  const orders = new Map<number, readonly number[]>();
  const reads = history.flatMap(({ id, outcome, operations }) =>
    operations.flatMap((operation) => ('read' in operation && outcome === 'committed' ? [{ id, ...operation }] : [])),
  );
  for (const { key, read } of reads) if (read.length > (orders.get(key)?.length ?? -1)) orders.set(key, read);
  for (const [key, order] of orders)
    if (new Set(order).size !== order.length) anomalies.push({ kind: 'duplicate', detail: `list ${key}: ${order}` });
  for (const { id, key, read } of reads)
    if (read.some((value, at) => value !== orders.get(key)?.[at]))
      anomalies.push({
        kind: 'incompatible-order',
        detail: `${id} read ${read} of list ${key}, which is ${orders.get(key)}`,
      });
  return orders;
}

/** A transaction reads what it has written itself, and of others neither what was undone nor half of what they wrote. */
function checkReads(
  { id, outcome, operations }: Transaction,
  appenders: ReadonlyMap<number, Transaction>,
  anomalies: Anomaly[],
): void {
  const own = new Map<number, number[]>();
  for (const operation of operations) {
    const { key } = operation;
    const mine = own.get(key) ?? [];
    own.set(key, mine);
    if ('appended' in operation) {
      mine.push(operation.appended);
      continue;
    }
    const { read } = operation;
    const ends = mine.length === 0 ? [] : read.slice(-mine.length);
    if (ends.join() !== mine.join())
      anomalies.push({ kind: 'internal', detail: `${id} appended ${mine} and read ${read}` });
    const others = read.slice(0, read.length - mine.length);
    const last = others.at(-1);
    for (const value of others) {
      const other = appenders.get(value);
      if (!other) anomalies.push({ kind: 'invented', detail: `${id} read ${value}, which nobody appended` });
      if (other?.outcome === 'aborted') anomalies.push({ kind: 'G1a', detail: `${id} read ${value} of ${other.id}` });
    }
    const writer = last === undefined ? undefined : appenders.get(last);
    const later = writer?.operations.findLast((one) => one.key === key && 'appended' in one);
    if (writer && later && 'appended' in later && later.appended !== last && outcome !== 'aborted')
      anomalies.push({
        kind: 'G1b',
        detail: `${id} read ${last} of ${writer.id}, which appended ${later.appended} too`,
      });
  }
}

/** The last transaction of a history reads all lists: what is in none of them is lost. */
function checkLost(
  { id, outcome, operations }: Transaction,
  orders: ReadonlyMap<number, readonly number[]>,
  anomalies: Anomaly[],
): void {
  const appended = operations.filter((operation) => 'appended' in operation);
  const there = appended.filter(({ key, appended: value }) => orders.get(key)?.includes(value));
  if (outcome === 'committed' && there.length < appended.length)
    anomalies.push({ kind: 'lost', detail: `${id}: ${appended.length - there.length} of ${appended.length} appends` });
  if (outcome === 'unknown' && there.length > 0 && there.length < appended.length)
    anomalies.push({ kind: 'half', detail: `${id}: ${there.length} of ${appended.length} appends are there` });
}

function graphOf(
  history: readonly Transaction[],
  appenders: ReadonlyMap<number, Transaction>,
  orders: ReadonlyMap<number, readonly number[]>,
): Graph {
  const graph = new Map<number, Map<number, Set<Reason>>>(history.map(({ id }) => [id, new Map()]));
  const add = (from: number | undefined, to: number | undefined, reason: Reason) => {
    if (from === undefined || to === undefined || from === to) return;
    const reasons = graph.get(from)?.get(to) ?? new Set();
    graph.get(from)?.set(to, reasons.add(reason));
  };
  for (const order of orders.values())
    for (const [at, value] of order.entries())
      if (at > 0) add(appenders.get(order[at - 1] ?? -1)?.id, appenders.get(value)?.id, 'ww');
  for (const { id, outcome, operations } of history) {
    if (outcome !== 'committed') continue;
    for (const operation of operations) {
      if (!('read' in operation)) continue;
      const { key, read } = operation;
      add(appenders.get(read.at(-1) ?? -1)?.id, id, 'wr');
      add(id, appenders.get(orders.get(key)?.[read.length] ?? -1)?.id, 'rw');
    }
  }
  addTimes(history, (from, to) => add(from, to, 'time'));
  return graph;
}

/** Those that had ended before another began come before it: the latest of them are enough. */
function addTimes(history: readonly Transaction[], add: (from: number, to: number) => void): void {
  const moments = history
    .flatMap((one) => [
      { at: one.began, one, isEnd: false },
      ...(one.outcome === 'committed' ? [{ at: one.ended, one, isEnd: true }] : []),
    ])
    .sort((a, b) => a.at - b.at);
  const latest = new Set<number>();
  const before = new Map<number, readonly number[]>();
  for (const { one, isEnd } of moments) {
    if (!isEnd) {
      before.set(one.id, [...latest]);
      for (const id of latest) add(id, one.id);
    } else {
      for (const id of before.get(one.id) ?? []) latest.delete(id);
      latest.add(one.id);
    }
  }
}

/** Sets of transactions each of which comes before each other, by edges for some reasons: Tarjan's algorithm, without recursion. */
function componentsOf(graph: Graph, reasons: readonly Reason[], among?: ReadonlySet<number>): number[][] {
  const next = (node: number) =>
    [...(graph.get(node) ?? [])]
      .filter(([to, why]) => (among?.has(to) ?? true) && reasons.some((reason) => why.has(reason)))
      .map(([to]) => to);
  const [found, numbers, lows, path]: [number[][], Map<number, number>, Map<number, number>, number[]] = [
    [],
    new Map(),
    new Map(),
    [],
  ];
  const onPath = new Set<number>();
  for (const root of among ?? graph.keys()) {
    if (numbers.has(root)) continue;
    const work: { node: number; rest: number[] }[] = [];
    const enter = (node: number) => {
      numbers.set(node, numbers.size);
      lows.set(node, numbers.size - 1);
      path.push(node);
      onPath.add(node);
      work.push({ node, rest: next(node) });
    };
    enter(root);
    for (let top = work.at(-1); top; top = work.at(-1)) {
      const { node } = top;
      const to = top.rest.pop();
      const lower = (by: number | undefined) => lows.set(node, Math.min(lows.get(node) ?? 0, by ?? 0));
      if (to !== undefined) {
        if (!numbers.has(to)) enter(to);
        else if (onPath.has(to)) lower(numbers.get(to));
        continue;
      }
      work.pop();
      const above = work.at(-1);
      if (above) lows.set(above.node, Math.min(lows.get(above.node) ?? 0, lows.get(node) ?? 0));
      if (lows.get(node) !== numbers.get(node)) continue;
      const component = path.splice(path.indexOf(node));
      for (const one of component) onPath.delete(one);
      if (component.length > 1) found.push(component);
    }
  }
  return found;
}

/** The strongest name of a cycle within a component. */
function nameOf(graph: Graph, component: readonly number[]): Anomaly {
  const among = new Set(component);
  const has = (reasons: readonly Reason[]) => componentsOf(graph, reasons, among).length > 0;
  const hasSingle = (reasons: readonly Reason[]) =>
    component.some((from) =>
      [...(graph.get(from) ?? [])].some(
        ([to, why]) => why.has('rw') && among.has(to) && reaches(graph, to, from, reasons),
      ),
    );
  const names = (times: readonly Reason[]) => {
    if (has(['ww', ...times])) return 'G0';
    if (has(['ww', 'wr', ...times])) return 'G1c';
    if (hasSingle(['ww', 'wr', ...times])) return 'G-single';
    return has(['ww', 'wr', 'rw', ...times]) ? 'G2' : null;
  };
  return { kind: names([]) ?? `${names(['time'])}-realtime`, detail: component.slice(0, 20).join(' ') };
}

function reaches(graph: Graph, from: number, to: number, reasons: readonly Reason[]): boolean {
  const [seen, queue] = [new Set([from]), [from]];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node === to) return true;
    for (const [next, why] of graph.get(node) ?? []) {
      if (seen.has(next) || !reasons.some((reason) => why.has(reason))) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return false;
}
