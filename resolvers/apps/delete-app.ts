import { AppModel } from '../../models/app.ts';
import { OauthRecordModel } from '../../models/oauth-record.ts';

import { type AppKeeper, kept } from './app-keeper.ts';

/** Deletes an app with its grants and tokens: the next request with one is refused. Answers false where there is none. */
export async function deleteApp(clientId: string, keeper: AppKeeper): Promise<boolean> {
  const { deletedCount } = await AppModel.deleteOne({ client_id: clientId, ...kept(keeper) }).setOptions({
    sight: keeper.sight,
  });
  if (deletedCount === 0) return false;
  await OauthRecordModel.deleteMany({ client_id: clientId });
  return true;
}
