import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { StartError } from '../configuration/start-error.ts';

/** Advice for an address on which listening fails, by the system's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use; stop the other program, or set PORT to another port (0 selects a free one)',
  EACCES: 'requires more privileges; set PORT to a port above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine; correct HOST',
  ENOTFOUND: 'cannot be used: the host name is unknown; correct HOST',
};

/**
 * Returns the port to listen on, before anything is changed: the given one if it is free, any free one for 0.
 *
 * @throws StartError that says what to do
 */
export async function freePort(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port });
  try {
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw startErrorOf(error, host, port);
  } finally {
    server.close();
  }
}

/** Another program listens on the port. */
export class PortInUseError extends StartError {}

/** The message for an error of listening. */
export function startErrorOf(error: unknown, host: string, port: number): StartError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  const ErrorOfCode = code === 'EADDRINUSE' ? PortInUseError : StartError;
  return new ErrorOfCode(`Port ${port} of ${host} ${ADVICE[code] ?? `cannot be listened on (${code})`}`, {
    cause: error,
  });
}
