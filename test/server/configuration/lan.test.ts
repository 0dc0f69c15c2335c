import type { NetworkInterfaceInfo } from 'node:os';

import { expect, test } from 'vitest';

import { readConfig } from '../../../server/configuration/config.ts';
import { lanAddresses, lanNames } from '../../../server/configuration/lan.ts';

const at = (...addresses: string[]) => addresses.map((address) => ({ address }) as NetworkInterfaceInfo);

test('addresses of private networks are found, those of real interfaces first', () => {
  const found = lanAddresses({
    lo: at('127.0.0.1', '::1'),
    docker0: at('172.17.0.1'),
    'vEthernet (WSL)': at('172.20.0.1'),
    eth0: at('203.0.113.9', 'fd00::2'),
    wlan0: at('192.168.1.20', 'fe80::1'),
    tailscale0: at('100.100.1.2'),
  });
  expect(found).toEqual(['192.168.1.20', '100.100.1.2', '172.17.0.1', '172.20.0.1']);
});

test.each([
  ['Laptop', ['laptop', 'laptop.local']],
  ['Laptop.local', ['laptop.local']],
  ['laptop.fritz.box', ['laptop.fritz.box', 'laptop.local']],
  ['Ada’s laptop', []],
])('names of a machine that is called %s: %j', (own, names) => {
  expect(lanNames(own)).toEqual(names);
});

test('the address is in every address of the service, which listens for others', () => {
  expect(readConfig({ LAN: '192.168.1.20', PORT: '9443' })).toMatchObject({
    lan: '192.168.1.20',
    host: '0.0.0.0',
    baseUrl: 'https://192.168.1.20:9443/api/v2',
    authUrl: 'https://192.168.1.20:9443',
    siteUrl: 'https://192.168.1.20:9443',
    graphqlUrl: 'https://192.168.1.20:9443/graphql',
  });
  expect(readConfig({ LAN: '192.168.1.20', HOST: '192.168.1.20' }).host).toBe('192.168.1.20');
});

test.each(['203.0.113.9', 'fd00::2', 'laptop.local', 'yes'])('%s is no address on a local network', (LAN) => {
  expect(() => readConfig({ LAN })).toThrow('LAN must be true, false, or the IPv4 address of this machine');
});
