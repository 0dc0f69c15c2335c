import { createServer } from 'node:https';

import { Webhook } from 'standardwebhooks';

import { issueCaCertificate, issueServerCertificate, newPrivateKey } from '../../http/tls/issue-certificate.ts';
import { closeServer, listenOnLoopback } from './loopback.ts';

/** A request that a receiver got. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly key: string; readonly event: string };
}

/** Answers of a receiver; nothing for 200. */
export type Answering = (request: Received) => Promise<Reply | undefined> | Reply | undefined;

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server that takes notifications, by TLS, as integrators run one. */
export async function webhookReceiver() {
  const [caKey, key] = [await newPrivateKey(), await newPrivateKey()];
  const now = new Date();
  const ca = await issueCaCertificate(caKey, [], now);
  const cert = await issueServerCertificate({ certificate: ca, key: caKey }, key, ['localhost'], now);
  const received: Received[] = [];
  let answering: Answering = () => undefined;
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const got = { headers: request.headers as Record<string, string>, text, body: JSON.parse(text) };
      received.push(got);
      const { status = 200, headers = {} } = (await answering(got)) ?? {};
      response.writeHead(status, headers).end(`status ${status}`);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `https://localhost:${port}/events`,
    ca,
    received,
    /** Has it answer in a way from now on. */
    answer: (next: Answering) => {
      answering = next;
    },
    close: () => closeServer(server),
  };
}

/** A receiver that runs. */
export type WebhookReceiver = Awaited<ReturnType<typeof webhookReceiver>>;

/** Verifies a request as a receiver does; throws where it is not signed by the secret. */
export function verify(secret: string, { headers, text }: Received): void {
  new Webhook(secret).verify(text, headers);
}
