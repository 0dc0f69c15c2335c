import { setTimeout } from 'node:timers/promises';

import { httpsClient } from '../../clients/https-client.ts';
import type { Reach } from './send-request.ts';
import type { World } from './world.ts';

/** A minute, after which volume limits have forgotten. */
const WINDOW_MS = 61_000;

/**
 * Asks a service as its users do, and says what was not answered as it should be; where limits are on, once they allow it
 * again.
 */
export async function wellBehaved(world: World, { ca }: Reach, limits: 'on' | 'off'): Promise<string[]> {
  const first = await ask(world, ca);
  const isLimited = limits === 'on' && first.some((finding) => finding.includes(' 429 '));
  if (!isLimited) return first;
  await setTimeout(WINDOW_MS);
  return ask(world, ca);
}

async function ask({ issuer, callers, contentIds }: World, ca: string): Promise<string[]> {
  const fetch = httpsClient(ca);
  const json = { 'Content-Type': 'application/json' };
  const as = (caller: string) => Object.fromEntries(callers[caller] ?? []);
  const question = JSON.stringify({ query: '{ account { key } vehicles { nodes { key nickname } } }' });
  const title = JSON.stringify({ title: 'As ever', status: 'publish' });
  const point = { point: { lat: 53, lon: 8 }, timestamp: new Date(Date.now() - 1000).toISOString() };
  const requests: readonly (readonly [path: string, caller: string, status: number, body?: string])[] = [
    ['/healthz', 'visitor', 200],
    ['/readyz', 'visitor', 200],
    ['/', 'visitor', 200],
    ['/blog/', 'visitor', 200],
    ['/api/v2/account', 'owner', 200],
    ['/api/v2/devices', 'owner', 200],
    ['/api/v2/account', 'visitor', 401],
    ['/graphql', 'owner', 200, question],
    ['/api/v2/ingest', 'device key', 200, JSON.stringify({ points: [point] })],
    ['/wp-json/wp/v2/posts', 'visitor', 200],
    ['/wp-json/wp/v2/posts', 'editor', 201, title],
    [`/wp-json/wp/v2/users/${contentIds.users[0] ?? 0}?context=edit`, 'administrator', 200],
    ['/.well-known/jwks.json', 'visitor', 200],
    ['/.well-known/oauth-authorization-server', 'visitor', 200],
  ];
  const findings: string[] = [];
  for (const [path, caller, expected, body] of requests) {
    const sent = body === undefined ? {} : { method: 'POST', body };
    const { status, text } = await fetch(issuer + path, { ...sent, headers: { ...as(caller), ...(body && json) } });
    const isWrong = status !== expected || (path === '/graphql' && text.includes('"errors"'));
    if (isWrong) findings.push(`a well-behaved ${caller} asking ${path} got ${status} ${text.slice(0, 300)}`);
  }
  return findings;
}
