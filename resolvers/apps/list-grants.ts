import { AppStore } from '../../models/account/app.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import type { AppGrant } from '../../schema/account/app-grant.ts';
import type { Service } from '../../models/store/service.ts';

/** A grant with its place in the list, a text that decreases. */
export interface ListedGrant extends AppGrant {
  readonly place: string;
}

/**
 * Lists the access that users have granted to apps of any account, the newest first.
 *
 * @param key of the only grant to list; all unless given
 */
export async function listGrants(service: Service, userKeys: readonly string[], key?: string): Promise<ListedGrant[]> {
  const which = { kind: 'Grant', user_key: { $in: userKeys }, ...(key !== undefined && { id_hash: key }) } as const;
  const grants = await OauthRecordStore.find(service, which).sort({ _id: -1 });
  const client_id = { $in: [...new Set(grants.map((grant) => grant.client_id))] };
  const apps = await AppStore.find(unrestricted(service), { client_id }, 'client_id name');
  const names = new Map(apps.map((app) => [app.client_id, app.name]));
  return grants.flatMap(({ _id, id_hash: key, user_key, client_id, scopes, created }) => {
    const app_name = client_id === null ? undefined : names.get(client_id);
    if (user_key === null || client_id === null || app_name === undefined) return [];
    return [{ place: String(_id), key, user_key, client_id, app_name, scopes: [...scopes], created }];
  });
}
