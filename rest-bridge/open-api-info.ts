/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 has them. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a description of an API says of it as a whole. */
export interface OpenApiInfo {
  readonly title: string;
  /** Version of the API, not of the program. */
  readonly version: string;
  readonly description: string;
  /** `{base_url}`. */
  readonly server: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Scopes and what each allows. */
  readonly scopes: Readonly<Record<string, string>>;
}
