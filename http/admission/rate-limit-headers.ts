import type { Usage } from './rate-limit.ts';

/**
 * The headers by which an answer tells of limits, as structured fields.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function rateLimitHeaders(usages: readonly Usage[]): Record<string, string> {
  const policies = usages.map(({ quota }) => `"${quota.name}";q=${quota.points};w=${quota.seconds}`);
  const limits = usages.map(({ quota, used, resetSeconds }) => {
    return `"${quota.name}";r=${Math.max(0, quota.points - used)};t=${resetSeconds}`;
  });
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: limits.join(', ') };
}
