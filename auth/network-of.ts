import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Leading bits of an address that name its network: those that a household, office or attacker shares. */
const PREFIX_LENGTH: PrefixLengths = { ipv4: 24, ipv6: 64 };

interface PrefixLengths {
  readonly ipv4: number;
  readonly ipv6: number;
}

/** Recently named networks: each request is counted for one, and the same clients return. */
const named = new LRUCache<string, string>({ max: 10_000 });

/** The network of an IP address, such as `192.0.2.0/24` or `2001:db8::/64`; any other text is its own network. */
export function networkOf(address: string, prefixLengths: PrefixLengths = PREFIX_LENGTH): string {
  const key = `${address} ${prefixLengths.ipv4} ${prefixLengths.ipv6}`;
  const known = named.get(key);
  if (known !== undefined) return known;
  const network = findNetwork(address, prefixLengths);
  named.set(key, network);
  return network;
}

function findNetwork(address: string, prefixLengths: PrefixLengths): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const length = prefixLengths[parsed.kind()];
  const bytes = parsed.toByteArray().map((byte, index) => (index < length / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`;
}
