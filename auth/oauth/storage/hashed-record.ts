import { type OauthKind, type OauthRecord, OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { hashSecret } from '../../secrets/secrets.ts';
import type { Service } from '../../../models/store/service.ts';

/** Identity of a record whose id is a secret, of which the database holds only the hash. */
export function identityOf(kind: OauthKind, id: string): Pick<OauthRecord, 'kind' | 'id_hash'> {
  return { kind, id_hash: hashSecret(id) };
}

/** Finds a record by its secret id. */
export async function findRecord(service: Service, kind: OauthKind, id: string): Promise<OauthRecord | null> {
  return OauthRecordStore.findOne(service, identityOf(kind, id));
}

/** Makes the function that deletes records of a kind. */
export function destroyerOf(service: Service, kind: OauthKind): (id: string) => Promise<void> {
  return async (id) => void (await OauthRecordStore.deleteOne(service, identityOf(kind, id)));
}

/** The instant of a NumericDate, in seconds since 1970 (RFC 7519, section 2). */
export function instantOf(epoch: number): Date {
  return new Date(epoch * 1000);
}
