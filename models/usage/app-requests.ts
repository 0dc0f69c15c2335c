import { AppRequest } from '../../schema/account/app-request.ts';
import type { Service } from '../store/service.ts';
import { recordSchema, storeOf } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';

/** Maximum number of requests that are kept of an app, latest ones. */
export const MAX_APP_REQUESTS = 1000;

/** Latest requests of apps, one document for each app. */
export const AppRequestsStore = storeOf('AppRequests', {
  collection: 'app_requests',
  tenancy: null,
  hidden: {
    client_id: required(String),
    /** In the order of their answers, as far as one process gave them. */
    requests: required([recordSchema(AppRequest)] as const),
    last: required(Date),
  },
  indexes: [
    [{ client_id: 1 }, { unique: true }],
    [{ last: 1 }, { expireAfterSeconds: 30 * 86_400 }],
  ],
});

/** Adds requests to those of their apps, by client id. */
export async function addAppRequests(
  service: Service,
  added: readonly (readonly [client_id: string, requests: readonly AppRequest[]])[],
): Promise<void> {
  const updates = added.map(([client_id, requests]) => ({
    updateOne: {
      filter: { client_id },
      update: {
        $push: { requests: { $each: requests, $slice: -MAX_APP_REQUESTS } },
        $max: { last: requests.at(-1)?.answered },
      },
      upsert: true,
    },
  }));
  await AppRequestsStore.driver(service).bulkWrite(updates as never, { ordered: false });
}
