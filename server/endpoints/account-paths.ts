import { isPermitted, type Permission, type RequestContext } from '../../auth/caller.ts';
import { planLimited } from '../../graphql/endpoint/limited-operation.ts';
import { readDocuments } from '../../graphql/endpoint/read-documents.ts';
import { TrustedDocuments } from '../../graphql/endpoint/trusted-documents.ts';
import { planOperation } from '../../graphql/execution/plan-operation.ts';
import { terseErrorResponse } from '../../http/answers/error-response.ts';
import { gatewaySchema, restSchema } from '../../resolvers/gateway-schema.ts';
import { accountRoutes } from '../../rest-bridge/account-routes.ts';
import { documentEndpoints } from '../../rest-bridge/document-routes.ts';
import { type RestEndpoint, restBridge } from '../../rest-bridge/rest-bridge.ts';
import { type MergedEndpoints, mergeEndpoints } from '../../rest-bridge/specified-paths.ts';
import { once } from '../../schema/once.ts';

const OPTIONS = {
  reject: terseErrorResponse,
  maySee: (context: unknown, permissions: unknown) =>
    isPermitted((context as RequestContext).caller, permissions as readonly Permission[]),
};

/** The rows of {@link accountRoutes}, ready to answer at any address; made once. */
export const builtInPaths = once(
  async (): Promise<RestEndpoint[]> =>
    restBridge(await restSchema(), accountRoutes, { ...OPTIONS, plan: planOperation }),
);

/**
 * The paths of the account API: the rows of {@link accountRoutes}, and the documents of a folder that have a route.
 *
 * @param trustedDocuments the folder `TRUSTED_DOCUMENTS`
 * @throws ConfigError naming TRUSTED_DOCUMENTS and the file of a route that cannot be served
 */
export async function accountPaths(trustedDocuments: string | null = null): Promise<MergedEndpoints> {
  const built = await builtInPaths();
  if (trustedDocuments === null) return { endpoints: built, warnings: [] };
  const schema = await gatewaySchema();
  const documents = new TrustedDocuments(schema, await readDocuments(trustedDocuments)).all();
  return mergeEndpoints(built, documentEndpoints(schema, documents, { ...OPTIONS, plan: planLimited }));
}
