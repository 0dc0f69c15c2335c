import ipaddr from 'ipaddr.js';

/**
 * The network that requests of an address count for: the address itself where it is IPv4, also when written as IPv6, and
 * the first 64 bits of IPv6, of which one subscriber has all addresses (RFC 6177).
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}
