import { randomBytes } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import { type CryptoKey, importJWK, SignJWT } from 'jose';

import { hashSecret, isSecret } from '../../auth/secrets/secrets.ts';
import { countCaller } from './contender-host.ts';
import type { ContenderRecords } from './contender-records.ts';

const TEXT = { type: 'string' } as const;
const ANSWER = { type: 'object', properties: { token: TEXT, expires_in: { type: 'integer' }, token_type: TEXT } };
const FAULT = { type: 'object', properties: { errors: TEXT } };
const ROLES = 'service://<service-trips-map />';
const LIFETIME = 3600;
/** For how long a signing key is kept, in milliseconds. */
const KEY_MS = 1000;

type TokenRequest = Readonly<Record<'client_id' | 'client_secret' | 'sub' | 'aud' | 'roles' | 'scope', unknown>>;

interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
  readonly until: number;
}

/** Adds the special-purpose token endpoint by hand: the checks of the specification, the look-ups, a signature by jose. */
export async function addTokenContender(
  app: FastifyInstance,
  records: ContenderRecords,
  issuer: string,
): Promise<void> {
  let signing: SigningKey | null = null;
  const signingKey = async (): Promise<SigningKey> => {
    if (signing && signing.until > performance.now()) return signing;
    const { kid, private_key } = await records.signingKey();
    const key = signing?.kid === kid ? signing.key : ((await importJWK(JSON.parse(private_key), 'ES256')) as CryptoKey);
    signing = { kid, key, until: performance.now() + KEY_MS };
    return signing;
  };
  app.post(
    '/api/special-purpose/v1/token',
    { schema: { response: { 200: ANSWER, 400: FAULT, 401: FAULT } } },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      const body = (request.body ?? {}) as TokenRequest;
      const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      const fault = faultOf(body, bearer);
      if (fault !== null) return reply.code(400).send({ errors: fault });
      countCaller(reply, hashSecret(bearer ?? ''));
      const { client_id, client_secret, sub, aud, scope } = body as Record<keyof TokenRequest, string>;
      const secretHash = await records.secretHashOf(client_id);
      if (secretHash === null || !isSecret(client_secret, secretHash)) {
        return reply.code(401).send({ errors: 'Invalid client credentials' });
      }
      const holder = await records.holderOf(bearer ?? '');
      const isAllowed = holder?.client_id === client_id && holder.scopes.includes('account_activity.read');
      if (!holder || !isAllowed || !(await records.sees(holder, sub.slice('vehicle:'.length)))) {
        return reply.code(401).send({ errors: 'Invalid token' });
      }
      const { kid, key } = await signingKey();
      const now = Math.floor(Date.now() / 1000);
      const token = await new SignJWT({ roles: ROLES, scope, client_id, grant: holder.grant_hash })
        .setProtectedHeader({ alg: 'ES256', typ: 'trips+jwt', kid })
        .setIssuer(issuer)
        .setSubject(sub)
        .setAudience(new URL(aud).origin)
        .setJti(randomBytes(16).toString('base64url'))
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME)
        .sign(key);
      return { token, expires_in: LIFETIME, token_type: 'Bearer' };
    },
  );
}

/** Names the fault of a request alone; null if look-ups decide. */
function faultOf(body: TokenRequest, bearer: string | undefined): string | null {
  if (!body.client_id || !body.client_secret) return 'Missing client credentials';
  if (bearer === undefined) return 'Missing auth token';
  if (!body.aud || !body.roles || !body.scope || !body.sub) return 'Missing required claims';
  if (typeof body.aud !== 'string' || !/^https:\/\/[a-z0-9.-]+(?::\d+)?(?:\/|$)/i.test(body.aud)) return 'Invalid aud';
  if (body.roles !== ROLES) return 'Invalid roles';
  if (typeof body.sub !== 'string' || !/^vehicle:[\w-]+$/.test(body.sub)) return 'Invalid sub';
  const isScope = typeof body.scope === 'string' && /^loc-past(?:$|-(?:gte|lt):\d{4}-\d\d-\d\d)/.test(body.scope);
  return isScope ? null : 'Invalid scope';
}
