import { once } from '../../../schema/once.ts';
import type { ShownRequest } from './ask.ts';
import { pageData } from './page-data.ts';

/** The parts of the OpenAPI document of the account API that name requests. */
interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

interface ApiOperation {
  readonly operationId: string;
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: object;
}

interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly items?: { readonly enum?: readonly string[] } };
}

/** A request by REST. */
export interface RestRequest {
  readonly method: string;
  /** Below `{base_url}`, with its query. */
  readonly path: string;
  /** Members of the body; null if it has none. */
  readonly body: object | null;
}

const readDescription = once(async (): Promise<ApiDescription> => {
  const response = await fetch(`${pageData().baseUrl}/openapi.json`);
  return (await response.json()) as ApiDescription;
});

/** Finds the request by REST that does the same as the first field of an operation; null if there is none. */
export async function restRequest({ query, variables }: ShownRequest): Promise<RestRequest | null> {
  const [, field = ''] = /\{\s*(\w+)/.exec(query) ?? [];
  const name = field.charAt(0).toUpperCase() + field.slice(1);
  const { paths } = await readDescription();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (![field, `get${name}`, `list${name}`].includes(operation.operationId)) continue;
      return requestOf(method.toUpperCase(), path, operation, query, variables as Readonly<Record<string, unknown>>);
    }
  }
  return null;
}

function requestOf(
  method: string,
  path: string,
  { parameters = [], requestBody }: ApiOperation,
  query: string,
  { input, after, ...others }: Readonly<Record<string, unknown>>,
): RestRequest {
  const values: Readonly<Record<string, unknown>> = { ...others, ...Object(input), cursor: after };
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = new URLSearchParams();
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query') continue;
    const relations = (schema.items?.enum ?? []).filter((relation) => query.includes(` ${relation} {`));
    for (const value of [...relations, ...[values[name] ?? []].flat()]) search.append(name, String(value));
  }
  const isMember = (name: string) => name !== 'cursor' && !parameters.some((parameter) => parameter.name === name);
  const members = Object.entries(values).filter(([name]) => isMember(name));
  const body = requestBody && method !== 'GET' ? Object.fromEntries(members) : null;
  return { method, path: `${address}${search.size > 0 ? `?${search}` : ''}`, body };
}
