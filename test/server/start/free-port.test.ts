import { type AddressInfo, createServer, Server } from 'node:net';

import { expect, onTestFinished, test, vi } from 'vitest';

import { serve } from '../../../server/service/serve.ts';
import { freePort } from '../../../server/start/free-port.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

/** Lets another program take the first port that is let go of. */
function takeNextPort(): { readonly port: () => number } {
  const other = createServer();
  onTestFinished(() => void other.close());
  const close = Server.prototype.close;
  vi.spyOn(Server.prototype, 'close').mockImplementationOnce(function (this: Server) {
    const { port } = this.address() as AddressInfo;
    close.call(this);
    other.listen({ host: '127.0.0.1', port });
    return this;
  });
  return { port: () => (other.address() as AddressInfo).port };
}

const settings = async (PORT: string) => ({ DATA_DIR: await temporaryFolder(), PORT, LOG_LEVEL: 'silent' });

test('where another program takes the free port that PORT=0 chose, another is chosen', async () => {
  const env = await settings('0');
  const other = takeNextPort();
  const service = await serve({ env, demo: 'refused' });
  onTestFinished(async () => void (await service.stop()));
  expect(service.config.port).not.toBe(other.port());
});

test('a port that is named is not given up for another', async () => {
  const port = await freePort('127.0.0.1', 0);
  const env = await settings(String(port));
  takeNextPort();
  await expect(serve({ env, demo: 'refused' })).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
});
