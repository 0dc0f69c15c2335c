import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

import ipaddr from 'ipaddr.js';

import type { Form } from './setting.ts';

/** Interfaces of virtual machines, containers and tunnels, whose addresses no telephone reaches. */
const VIRTUAL =
  /^(?:docker|br-|veth|virbr|vmnet|vboxnet|tun|utun|tap|wg|zt|cni|flannel|cali|podman|lxc)|vethernet|virtual|vmware|wsl/i;
/** Ranges of `ipaddr.js`: those of RFC 1918, and that of RFC 6598, which networks among one's own machines use. */
const LOCAL_RANGES = ['private', 'carrierGradeNat'];

/**
 * Networks and names for which the authority of a service on the local network may sign, beside the names of the machine: its
 * address changes, and telephones that trust the authority are not asked again.
 */
export const LAN_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'local'];

/** IPv4 addresses of this machine on local networks, those of real interfaces first. */
export function lanAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces()): string[] {
  const found = Object.entries(interfaces).toSorted(
    ([one], [other]) => Number(VIRTUAL.test(one)) - Number(VIRTUAL.test(other)),
  );
  return found.flatMap(([, infos = []]) => infos.map(({ address }) => address).filter(isLanAddress));
}

/** Names of this machine: its own, and that by which others find it without a server (RFC 6762). */
export function lanNames(own: string = hostname()): string[] {
  const [first = ''] = own.toLowerCase().split('.');
  return [...new Set([own.toLowerCase(), `${first}.local`])].filter((name) => /^[a-z0-9][a-z0-9.-]*$/.test(name));
}

/** The address at which a service is on the local network, or null if it is not. */
export const LAN: Form<string | null> = {
  expected: 'true, false, or the IPv4 address of this machine on a private network (true finds it, if there is one)',
  parse: (text) => {
    if (text === 'false') return null;
    if (text === 'true') return lanAddresses()[0];
    return isLanAddress(text) ? text : undefined;
  },
};

function isLanAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) && LOCAL_RANGES.includes(ipaddr.parse(text).range());
}
