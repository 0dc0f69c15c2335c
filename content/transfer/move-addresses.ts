import { literalPattern } from '../../resolvers/input/literal-pattern.ts';

/**
 * A value of JSON in whose texts the address of one site stands in the place of another's: whole addresses, and those
 * that go on with a path; another host that starts alike stays.
 */
export function moveAddresses(value: unknown, from: string, to: string): unknown {
  if (from === '' || from === to) return value;
  const address = new RegExp(`${literalPattern(from)}(?![\\w:-]|\\.\\w)`, 'g');
  return move(value, (text) => text.replace(address, () => to));
}

function move(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((member) => move(member, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, move(member, change)]));
}
