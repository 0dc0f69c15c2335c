import { type OauthKind, type OauthRecord, OauthRecordModel } from '../../../models/sign-in/oauth-record.ts';
import { hashSecret } from '../../secrets.ts';

/** Identity of a record whose id is a secret, of which the database holds only the hash. */
export function named(kind: OauthKind, id: string): Pick<OauthRecord, 'kind' | 'id_hash'> {
  return { kind, id_hash: hashSecret(id) };
}

/** Finds a record by its secret id. */
export async function stored(kind: OauthKind, id: string): Promise<OauthRecord | null> {
  return OauthRecordModel.findOne(named(kind, id)).lean();
}

/** Makes the function that deletes records of a kind. */
export function destroying(kind: OauthKind): (id: string) => Promise<void> {
  return async (id) => void (await OauthRecordModel.deleteOne(named(kind, id)));
}

/** The instant of a NumericDate, in seconds since 1970 (RFC 7519, section 2). */
export function instantOf(epoch: number): Date {
  return new Date(epoch * 1000);
}
