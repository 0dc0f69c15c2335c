import { createHash } from 'node:crypto';

/**
 * Names of what a request uses: schema coordinates (`Vehicle.odometer`, `Query.vehicles(first:)`, `VehicleInput.name`), trusted
 * documents (`document Fleet`), and REST paths with their parameters (`GET /devices`, `GET /devices(size:)`).
 */
export class UsedNames {
  readonly names: readonly string[];
  /** Names the combination. */
  readonly hash: string;

  constructor(names: Iterable<string>) {
    this.names = [...new Set(names)].sort();
    this.hash = createHash('sha256').update(this.names.join('\n')).digest('base64url');
  }

  /** These names and others. */
  with(others: readonly string[]): UsedNames {
    return others.every((name) => this.names.includes(name)) ? this : new UsedNames([...this.names, ...others]);
  }
}

/** Length up to which the name of a client is kept. */
const MAX_NAME = 40;

/**
 * Name by which a client calls itself: `apollographql-client-name`, as Apollo's clients send it, else the product of `User-Agent`
 * (RFC 9110, section 10.1.5), such as `curl`; empty if there is none.
 */
export function clientNameOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const named = headers['apollographql-client-name'];
  const name = typeof named === 'string' ? named : String(headers['user-agent'] ?? '').split(/[/\s(]/, 1)[0];
  return (name ?? '').replace(/[^\w .@+-]/g, '').slice(0, MAX_NAME);
}
