import { type OauthKind, type OauthRecord, OauthRecordModel } from '../../../models/sign-in/oauth-record.ts';
import { hashSecret } from '../../secrets.ts';
import { RejectingAdapter } from './rejecting-adapter.ts';

/** Storage of records whose id is a secret, of which the database holds the hash only. */
export class HashedRecordAdapter<Kind extends OauthKind> extends RejectingAdapter<Kind> {
  override async destroy(id: string): Promise<void> {
    await OauthRecordModel.deleteOne(this.named(id));
  }

  protected async stored(id: string): Promise<OauthRecord | null> {
    return OauthRecordModel.findOne(this.named(id)).lean();
  }

  /** Identity of a record. */
  protected named(id: string): Pick<OauthRecord, 'kind' | 'id_hash'> {
    return { kind: this.kind, id_hash: hashSecret(id) };
  }
}
