import ipaddr from 'ipaddr.js';

type Range = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** The peers whose `X-Forwarded-*` and `X-Request-Id` headers are trusted: TLS proxies in front of this service. */
export class TrustedProxies {
  readonly #ranges: readonly Range[];

  private constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  /** No proxy is trusted. */
  static readonly NONE = new TrustedProxies([]);

  /** Reads addresses and CIDR ranges, as in `10.0.0.0/8, 192.0.2.7 fd00::/8`; undefined where one is neither. */
  static parse(text: string): TrustedProxies | undefined {
    const ranges = text
      .split(/[\s,]+/)
      .filter((item) => item !== '')
      .map(parseRange);
    return ranges.every((range) => range !== undefined) ? new TrustedProxies(ranges) : undefined;
  }

  /** Tells whether the peer with this address is trusted; an IPv4 address may be written as IPv6 (`::ffff:10.0.0.1`). */
  trusts(address: string | undefined): boolean {
    if (this.#ranges.length === 0 || address === undefined || !ipaddr.isValid(address)) return false;
    const peer = ipaddr.process(address);
    return this.#ranges.some(([range, bits]) => range.kind() === peer.kind() && peer.match(range, bits));
  }
}

function parseRange(item: string): Range | undefined {
  if (ipaddr.isValidCIDR(item)) return ipaddr.parseCIDR(item);
  if (ipaddr.IPv4.isValidFourPartDecimal(item) || ipaddr.IPv6.isValid(item)) {
    const address = ipaddr.process(item);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  return undefined;
}
