import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/** Tags of ASN.1's DER (ITU-T X.690) and of RFC 5280, sections 4.2.1.6 and 4.2.1.10. */
const SEQUENCE = 0x30;
const PERMITTED_SUBTREES = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
/** The loopback addresses of IPv4, 127.0.0.0/8, as address and mask. */
const LOOPBACK_V4 = [127, 0, 0, 0, 255, 0, 0, 0];

/** The object identifier of the extension. */
export const NAME_CONSTRAINTS = '2.5.29.30';

/** The extension's value for an authority that may sign for loopback addresses, the hosts and networks, and names below them only. */
export function nameConstraints(hosts: readonly string[]): Buffer {
  const permitted = [subtree(IP_ADDRESS, LOOPBACK_V4), ...hosts.map(subtreeOf)];
  return der(SEQUENCE, der(PERMITTED_SUBTREES, Buffer.concat(permitted)));
}

/** Returns true if a certificate, as DER, has constraints that permit all these hosts. */
export function permitsAll(certificate: Buffer, hosts: readonly string[]): boolean {
  return hosts.every((host) => certificate.includes(subtreeOf(host)));
}

function subtreeOf(host: string): Buffer {
  if (ipaddr.IPv4.isValidCIDR(host)) {
    const [network, bits] = ipaddr.IPv4.parseCIDR(host);
    return subtree(IP_ADDRESS, [...network.octets, ...ipaddr.IPv4.subnetMaskFromPrefixLength(bits).octets]);
  }
  if (isIP(host) === 0) return subtree(DNS_NAME, Buffer.from(host, 'ascii'));
  const address = ipaddr.parse(host).toByteArray();
  return subtree(IP_ADDRESS, [...address, ...address.map(() => 255)]);
}

function subtree(tag: number, name: Iterable<number>): Buffer {
  return der(SEQUENCE, der(tag, Buffer.from([...name])));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
