import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { AppModel } from '../../models/account/app.ts';
import { OauthRecordModel } from '../../models/sign-in/oauth-record.ts';

import { type AppKeeper, kept } from './app-keeper.ts';

/** Deletes an app with its grants and tokens: the next request with one is refused. Answers false where there is none. */
export async function deleteApp(clientId: string, manager: AppKeeper): Promise<boolean> {
  const { accessScope, actor = OPERATOR } = manager;
  const app = await AppModel.findOneAndDelete({ client_id: clientId, ...kept(manager) }, { accessScope }).lean();
  if (!app) return false;
  await OauthRecordModel.deleteMany({ client_id: clientId });
  const { account_key } = app;
  await recordSecurityEvent({ kind: 'app_deleted', actor, account_key, subject: clientId });
  return true;
}
