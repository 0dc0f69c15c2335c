import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';

/** Request headers by name. */
export type Headers = Readonly<Record<string, string>>;

type Host = Pick<FastifyInstance, 'inject'>;

type Operation = { readonly responses: Readonly<Record<string, { $ref?: string; content?: object }>> };

/** As much of an OpenAPI document as answers are held to. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

/** A client of the account API that holds every answer to the API's own description, or to the one given. */
export class AccountClient {
  readonly #app: Host;
  readonly #ajv: Ajv2020;
  readonly #description: Description;

  private constructor(app: Host, description: Description) {
    this.#app = app;
    this.#description = description;
    this.#ajv = new Ajv2020({ strict: false });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(description, 'description');
  }

  static async of(app: Host, description?: Description): Promise<AccountClient> {
    const response = await app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } });
    return new AccountClient(app, description ?? response.json());
  }

  get(path: string, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.send('GET', path, headers);
  }

  /** @param body a value that is sent as JSON, or a text that is sent as it stands */
  post(path: string, body: unknown, headers: Headers = {}): Promise<LightMyRequestResponse> {
    const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.send('POST', path, { 'content-type': 'application/json', ...headers }, payload);
  }

  delete(path: string, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.send('DELETE', path, headers);
  }

  async send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    headers: Headers,
    payload?: string | Buffer,
  ): Promise<LightMyRequestResponse> {
    const response = await this.#app.inject({
      method,
      url: `/api/v2${path}`,
      headers: { host: 'localhost', ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    this.#check(method, path, response);
    return response;
  }

  /** Expects that a body is one that the description lets webhooks receive. */
  expectNotification(body: object): void {
    const { properties } = this.#description.components.schemas.Notification ?? {};
    expect(Object.keys(body).filter((name) => !Object.hasOwn(properties ?? {}, name))).toEqual([]);
    const validate = this.#ajv.getSchema('description#/components/schemas/Notification');
    expect([validate?.(body), validate?.errors, body]).toEqual([true, null, body]);
  }

  #check(method: string, path: string, { statusCode, body }: LightMyRequestResponse): void {
    const [template] = Object.keys(this.#description.paths)
      .filter((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''))
      .sort((a, b) => b.length - a.length);
    const described = template && this.#description.paths[template]?.[method.toLowerCase()]?.responses[statusCode];
    if (!template || statusCode === 404) {
      expect([statusCode, body]).toEqual([404, '']);
    } else if (!described) {
      throw new Error(`${method} ${template} answered ${statusCode}, which is not described: ${body}`);
    } else if (!described.$ref && !described.content) {
      expect(body).toBe('');
    } else {
      const own = `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${statusCode}`;
      const [mediaType = 'application/json'] = Object.keys(described.content ?? {});
      if (mediaType.endsWith('json')) this.#checkBody(body, described.$ref?.slice(1) ?? own, mediaType);
    }
  }

  #checkBody(body: string, pointer: string, mediaType: string): void {
    if (/Unauthorized|Forbidden|PreconditionFailed|TooManyRequests|Fault|Unavailable/.test(pointer)) {
      expect(body).toBe('');
      return;
    }
    const validate = this.#ajv.getSchema(`description#${pointer}/content/${escaped(mediaType)}/schema`);
    if (!validate) throw new Error(`No schema at ${pointer}`);
    expect([validate(JSON.parse(body)), validate.errors]).toEqual([true, null]);
  }
}

function escaped(path: string): string {
  return path.replaceAll('~', '~0').replaceAll('/', '~1');
}
