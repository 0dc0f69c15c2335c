import { Agent, type RequestOptions, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';

import { type Client, createClient, type ExecutionResult } from 'graphql-sse';
import { onTestFinished } from 'vitest';

import { testCertificate } from '../hosts/test-host.ts';

/** Results of a subscription in the order of their arrival. */
export interface Subscribed {
  /** Waits for the next result; undefined once the server has completed the subscription. */
  next(): Promise<ExecutionResult<Record<string, unknown>, unknown> | undefined>;
  /** Ends it on the side of the client. */
  end(): void;
}

/** Subscribes by the client of graphql-sse through real TLS, until the test ends. */
export async function subscribe(
  port: number,
  query: string,
  headers: Record<string, string>,
  variables: Record<string, unknown> = {},
): Promise<Subscribed> {
  const client: Client = createClient({
    url: `https://127.0.0.1:${port}/graphql`,
    headers,
    retryAttempts: 0,
    fetchFn: streamingFetch((await testCertificate()).ca),
  });
  onTestFinished(() => client.dispose());
  const results = client.iterate({ query, variables });
  return {
    next: async () => {
      const { value, done } = await results.next();
      return done ? undefined : value;
    },
    end: () => void results.return?.(),
  };
}

/** As much of `fetch` as clients of streams use, with an authority to trust. */
export function streamingFetch(ca: string) {
  const agent = new Agent({ ca, keepAlive: false });
  return (url: string, { body, ...options }: RequestOptions & { readonly body: string }): Promise<Response> =>
    new Promise((resolve, reject) => {
      const sent = httpsRequest(url, { ...options, agent }, (answer) => {
        const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
        const content = Readable.toWeb(answer) as ReadableStream;
        resolve(new Response(content, { status: answer.statusCode ?? 0, headers }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
