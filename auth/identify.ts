import { ServiceError } from '../schema/service-error.ts';

import { findApiKey } from './api-keys.ts';
import { readBasic } from './basic-credentials.ts';
import type { Caller } from './caller.ts';
import { findAccessToken } from './grants.ts';
import { findIngestKey } from './ingest-keys.ts';
import { verifyTripToken } from './trip-token.ts';
import type { Service } from '../models/store/service.ts';

/** The credentials of a request, as its raw headers carry them. */
export interface Credentials {
  readonly apiKey: string | null;
  readonly bearer: string | null;
  /** The page that sent the request, if a page did. */
  readonly origin: string | undefined;
}

/** An endpoint of requests; endpoints accept different credentials. */
export type EndpointRules =
  | { readonly endpoint: 'rest' }
  /** Devices and forwarders only. */
  | { readonly endpoint: 'ingest' }
  /** Devices that send messages of a phone app only. */
  | { readonly endpoint: 'app' }
  /** `issuer` is the issuer of special-purpose tokens; `origin` is that of the gateway. */
  | { readonly endpoint: 'graphql'; readonly issuer: string; readonly origin: string };

const REJECTION = 'The credentials are not valid';

/** Further places for a device's key, for phone apps without support for bearer tokens. */
export interface KeyPlaces {
  /** True if the password of a `Basic` header may be one. */
  readonly basic: boolean;
  /** Keys in the message itself. */
  readonly keys: readonly string[];
}

/**
 * Reads the credentials of raw headers (`name, value, name, value …`), in which a repeated header can still be seen.
 *
 * @throws ServiceError UNAUTHENTICATED if there are two, or a malformed one
 */
export function readCredentials(rawHeaders: readonly string[], places?: KeyPlaces): Credentials {
  const apiKeys = headerValues(rawHeaders, 'service-api-key');
  const authorizations = headerValues(rawHeaders, 'authorization');
  const origins = headerValues(rawHeaders, 'origin');
  const keys = places?.keys ?? [];
  if (apiKeys.length + authorizations.length + keys.length > 1 || origins.length > 1) {
    throw new ServiceError('UNAUTHENTICATED', 'Send one credential, once');
  }
  const [authorization] = authorizations;
  const bearer = authorization === undefined ? null : readAuthorization(authorization, places?.basic ?? false);
  if (authorization !== undefined && bearer === null) throw new ServiceError('UNAUTHENTICATED', REJECTION);
  return { apiKey: apiKeys[0] ?? null, bearer: bearer ?? keys[0] ?? null, origin: origins[0] };
}

function readAuthorization(authorization: string, basic: boolean): string | null {
  return readBearer(authorization) ?? (basic ? (readBasic(authorization)?.password ?? null) : null);
}

/** All values of a header, of which Node.js itself keeps only the first. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** The token of a `Bearer` header (RFC 6750, section 2.1), or null if the header has another form. */
export function readBearer(authorization: string): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1] ?? null;
}

/**
 * Identifies the caller, or a visitor.
 *
 * @throws ServiceError UNAUTHENTICATED if credentials are not valid here
 */
export async function identify(
  service: Service,
  { apiKey, bearer, origin }: Credentials,
  rules: EndpointRules,
): Promise<Caller> {
  if (apiKey === null && bearer === null) return { kind: 'visitor' };
  const caller =
    apiKey !== null ? await findOwner(service, apiKey, rules) : await findBearer(service, bearer ?? '', origin, rules);
  if (!caller) throw new ServiceError('UNAUTHENTICATED', REJECTION);
  return caller;
}

async function findOwner(service: Service, apiKey: string, { endpoint }: EndpointRules): Promise<Caller | null> {
  return endpoint === 'ingest' || endpoint === 'app' ? null : findApiKey(service, apiKey);
}

async function findBearer(
  service: Service,
  token: string,
  origin: string | undefined,
  rules: EndpointRules,
): Promise<Caller | null> {
  if (rules.endpoint === 'rest') return findAccessToken(service, token);
  if (rules.endpoint === 'ingest') return findIngestKey(service, token);
  if (rules.endpoint === 'app') return findDevice(service, token);
  if (token.includes('.')) return verifyTripToken(service, token, rules.issuer, origin);
  const isForeignPage = origin !== undefined && origin !== rules.origin;
  return isForeignPage ? null : findAccessToken(service, token);
}

async function findDevice(service: Service, key: string): Promise<Caller | null> {
  const found = await findIngestKey(service, key);
  return found?.kind === 'device' ? found : null;
}
