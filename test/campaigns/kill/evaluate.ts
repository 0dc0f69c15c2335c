import type { Finding, View, Write } from './write.ts';

/**
 * Compares writes with what is shown of them: an acknowledged one must be shown exactly once by every view, any other once by
 * every view or by none. At most one finding is made of a write.
 */
export function evaluate(writes: Iterable<Write>, views: readonly View[]): Finding[] {
  const findings: Finding[] = [];
  const ids = new Set<string>();
  for (const write of writes) {
    ids.add(write.id);
    const finding = evaluateWrite(write, views);
    if (finding) findings.push({ id: write.id, ...finding });
  }
  for (const { name, shown, isExclusive } of views) {
    if (!isExclusive) continue;
    for (const id of shown.keys()) {
      if (!ids.has(id)) findings.push({ fault: 'doubled', id, detail: `${name} shows it, and nobody wrote it` });
    }
  }
  return findings;
}

function evaluateWrite(
  { id, value, isAcknowledged }: Write,
  views: readonly View[],
): Pick<Finding, 'fault' | 'detail'> | undefined {
  const seen = views
    .filter(({ covers = 'all' }) => isAcknowledged || covers === 'all')
    .map(({ name, shown }) => ({ name, values: shown.get(id) ?? [] }));
  const without = seen.find(({ values }) => values.length === 0);
  const where = seen.find(({ values }) => values.length > 0);
  if (!where)
    return isAcknowledged && without ? { fault: 'lost', detail: `${without.name} does not show it` } : undefined;
  const twice = seen.find(({ values }) => values.length > 1);
  if (twice) return { fault: 'doubled', detail: `${twice.name} shows it ${twice.values.length} times` };
  if (without) {
    const fault = isAcknowledged ? 'unseen' : 'half';
    return { fault, detail: `${where.name} shows it, and ${without.name} does not` };
  }
  const other = seen.find(({ values }) => values[0] !== value);
  return other && { fault: 'half', detail: `${other.name} shows ${other.values[0]} in place of ${value}` };
}

/**
 * Compares the writes of a register, each of which replaces the one before, with the value that it has: that of the last
 * acknowledged write, or of one that was sent after it.
 */
export function evaluateRegister(name: string, writes: readonly Write[], value: string, initial: string): Finding[] {
  const last = writes.findLastIndex(({ isAcknowledged }) => isAcknowledged);
  const possible = [writes[last]?.value ?? initial, ...writes.slice(last + 1).map((write) => write.value)];
  if (possible.includes(value)) return [];
  const isKnown = value === initial || writes.some((write) => write.value === value);
  const id = writes[last]?.id ?? 'initial value';
  return [{ fault: isKnown ? 'lost' : 'half', id, detail: `${name} has ${value} in place of ${possible[0]}` }];
}

/** Compares what was deleted or revoked with what still stands; `standing` are the ids that do. */
export function evaluateRemovals(name: string, removals: Iterable<Write>, standing: ReadonlySet<string>): Finding[] {
  return [...removals]
    .filter(({ id, isAcknowledged }) => isAcknowledged && standing.has(id))
    .map(({ id }) => ({ fault: 'lost', id, detail: `${name} still shows what was taken away` }));
}

/** Compares a counter with what a list shows. */
export function evaluateCount(name: string, counted: number, listed: number): Finding[] {
  if (counted === listed) return [];
  const fault = counted < listed ? 'unseen' : 'doubled';
  return [{ fault, id: name, detail: `${name} counts ${counted}, and the list has ${listed}` }];
}
