import type { Endpoint } from '../../http/endpoint.ts';

import { connectTls } from './raw-client.ts';

/** A request whose body a client holds half-way. */
export interface HeldRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text of ASCII characters. */
  readonly body: string;
}

/** An answer in its parts; the body of a chunked one is as it came. */
export interface HeldAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Endpoints whose requests can be held: a test learns when one has been identified and its body is read. */
export class HoldingEndpoints {
  #reached: () => void = () => undefined;

  /** Makes an endpoint report what it reads. */
  hold(endpoint: Endpoint): Endpoint {
    return {
      name: endpoint.name,
      register: async (app) => {
        app.addHook('preParsing', async () => this.#reached());
        await endpoint.register(app);
      },
    };
  }

  /**
   * Sends the headers and half the body, does something once the endpoint reads, then sends the rest.
   *
   * @returns the answer
   */
  async send(
    port: number,
    { method, path, headers, body }: HeldRequest,
    meanwhile: () => Promise<unknown>,
  ): Promise<HeldAnswer> {
    const half = Math.floor(body.length / 2);
    const reached = new Promise<void>((resolve) => {
      this.#reached = resolve;
    });
    const client = await connectTls(port);
    client.send(headOf({ method, path, headers, body }) + body.slice(0, half));
    await reached;
    await meanwhile();
    client.send(body.slice(half));
    return answerOf(await client.ended());
  }

  /** Sends a request in one piece. */
  async sendWhole(port: number, request: HeldRequest): Promise<HeldAnswer> {
    const client = await connectTls(port);
    client.send(headOf(request) + request.body);
    return answerOf(await client.ended());
  }
}

function headOf({ method, path, headers, body }: HeldRequest): string {
  const all = { host: 'localhost', 'content-length': String(body.length), connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function answerOf(text: string): HeldAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { status: Number(head.slice('HTTP/1.1 '.length, 12)), head, body: rest.join('\r\n\r\n') };
}
