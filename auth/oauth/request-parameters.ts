import { errors, type KoaContextWithOIDC } from 'oidc-provider';

/**
 * Parameters of an authorization request that have a meaning here, even if only to be rejected. Any other is ignored (RFC 6749,
 * section 3.1): `nonce`, `claims` and the like belong to identity tokens, which are not issued, but libraries send them.
 */
const PARAMETERS = [
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
  'login_hint',
  'request',
  'request_uri',
] as const;

/** Values of `prompt` that have a meaning here; others are ignored. */
const PROMPTS: readonly string[] = ['none', 'login', 'consent'];

/**
 * Removes parameters without a meaning here from an authorization request. Answers go back in the query alone: any other
 * `response_mode` counts as unknown, though the library knows some. Every app gets a refresh token, so `offline_access`
 * requests nothing.
 */
export async function readParameters(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { query } = ctx;
  const known = Object.fromEntries(PARAMETERS.map((name) => [name, query[name]]));
  ctx.state.max_age = query.max_age;
  ctx.query = {
    ...known,
    scope: only(query.scope, (scope) => scope !== 'offline_access'),
    prompt: only(query.prompt, (prompt) => PROMPTS.includes(prompt)),
    response_mode: query.response_mode === undefined || query.response_mode === 'query' ? undefined : 'unsupported',
  };
  await next();
}

/**
 * Gives a request its `max_age` back once the library has looked at parameters, since it accepts this one with `openid` alone.
 * A session that began earlier than so many seconds ago does not count.
 *
 * @throws InvalidRequest unless it is a whole number
 */
export function restoreMaxAge({ oidc, state }: KoaContextWithOIDC): void {
  if (!oidc.params || state.max_age === undefined) return;
  if (!/^\d+$/.test(String(state.max_age)))
    throw new errors.InvalidRequest('max_age must be a whole number of seconds');
  oidc.params.max_age = state.max_age;
}

/** The accepted words of a parameter that was sent once; a repeated parameter is left unchanged and rejected later. */
function only(value: string | string[] | undefined, passes: (word: string) => boolean): string | string[] | undefined {
  if (typeof value !== 'string') return value;
  return value.split(' ').filter(passes).join(' ') || undefined;
}
