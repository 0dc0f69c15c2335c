import { AppModel, requiresPkce } from '../../models/account/app.ts';
import type { App } from '../../schema/account/app.ts';

import { type AppKeeper, kept } from './app-keeper.ts';

/** The apps that a keeper may manage, in order of creation. */
export async function listApps(manager: AppKeeper): Promise<App[]> {
  const apps = await AppModel.find(kept(manager), null, { accessScope: manager.accessScope }).sort({ _id: 1 }).lean();
  return apps.map((app) => {
    const { client_id, name, redirect_uris, scopes, created, reviewed = null, secret_hash } = app;
    const facts = { client_id, name, redirect_uris, scopes, created, reviewed };
    return { ...facts, is_public: secret_hash === null, requires_pkce: requiresPkce(app) };
  });
}
