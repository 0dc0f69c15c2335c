import { type OauthKind, type OauthRecord, OauthRecordModel } from '../../../models/sign-in/oauth-record.ts';
import { hashSecret } from '../../secrets.ts';

/** Identity of a record whose id is a secret, of which the database holds only the hash. */
export function identityOf(kind: OauthKind, id: string): Pick<OauthRecord, 'kind' | 'id_hash'> {
  return { kind, id_hash: hashSecret(id) };
}

/** Finds a record by its secret id. */
export async function findRecord(kind: OauthKind, id: string): Promise<OauthRecord | null> {
  return OauthRecordModel.findOne(identityOf(kind, id)).lean();
}

/** Makes the function that deletes records of a kind. */
export function destroyerOf(kind: OauthKind): (id: string) => Promise<void> {
  return async (id) => void (await OauthRecordModel.deleteOne(identityOf(kind, id)));
}

/** The instant of a NumericDate, in seconds since 1970 (RFC 7519, section 2). */
export function instantOf(epoch: number): Date {
  return new Date(epoch * 1000);
}
