import ipaddr from 'ipaddr.js';

type Range = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Networks that the operator names, such as that of the TLS proxies whose forwarding headers are trusted. */
export class AddressRanges {
  readonly #ranges: readonly Range[];

  private constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  /** No network. */
  static readonly NONE = new AddressRanges([]);

  /** Reads addresses and CIDR ranges, as in `10.0.0.0/8, 192.0.2.7 fd00::/8`; undefined if one is neither. */
  static parse(text: string): AddressRanges | undefined {
    const ranges = text
      .split(/[\s,]+/)
      .filter((item) => item !== '')
      .map(parseRange);
    return ranges.every((range) => range !== undefined) ? new AddressRanges(ranges) : undefined;
  }

  /** True if there is no range. */
  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /** Returns true if an address is in one of them; an IPv4 address may be written as IPv6 (`::ffff:10.0.0.1`). */
  has(address: string | undefined): boolean {
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
