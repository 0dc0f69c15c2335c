import net from 'node:net';
import tls from 'node:tls';

import { testCertificate } from '../hosts/test-host.ts';

/** A connection that sends exactly what a test says, and collects what comes back. */
export interface RawClient {
  /** Sends text as it is. */
  send(text: string): void;
  /** Resolves with all that was received, as soon as it contains the text or the other side has ended. */
  received(text: string): Promise<string>;
  /** Resolves with all that was received when the other side has ended. */
  ended(): Promise<string>;
  /** Goes away without a word. */
  leave(): void;
}

/** Connects by TLS, trusting the test authority, or whoever answers. */
export async function connectTls(port: number, isTestHost = true): Promise<RawClient> {
  const trust = isTestHost ? { ca: (await testCertificate()).ca } : { rejectUnauthorized: false };
  return clientOf(tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ...trust }), 'secureConnect');
}

/** Connects without TLS. */
export function connectPlain(port: number): Promise<RawClient> {
  return clientOf(net.connect({ port, host: '127.0.0.1' }), 'connect');
}

function clientOf(socket: net.Socket, connected: 'connect' | 'secureConnect'): Promise<RawClient> {
  let text = '';
  let over = false;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const check of waiting) {
      check();
    }
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    wake();
  });
  socket.on('close', () => {
    over = true;
    wake();
  });
  const until = (done: () => boolean): Promise<string> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (done()) {
          waiting.delete(check);
          resolve(text);
        }
      };
      waiting.add(check);
      check();
    });
  const client: RawClient = {
    send: (sent) => void socket.write(sent),
    received: (expected) => until(() => over || text.includes(expected)),
    ended: () => until(() => over),
    leave: () => void socket.destroy(),
  };
  return new Promise((resolve, reject) => {
    socket.once(connected, () => resolve(client));
    socket.once('error', reject);
  });
}
