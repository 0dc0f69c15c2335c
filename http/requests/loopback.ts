import ipaddr from 'ipaddr.js';

/** Returns true if an address (`127.0.0.1`, `::1`, `::ffff:127.0.0.1`) is one of this machine; false for other text. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * Returns true if a host name of a URL or of a `Host` header, without port, names this machine: `localhost`, a name below it
 * (RFC 6761, section 6.3), or a loopback address, an IPv6 one with or without its brackets.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name.replace(/^\[|\]$/g, ''));
}
