import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import type { Certificate } from '../../http/tls/listener.ts';
import type { Config } from '../configuration/config.ts';
import { tlsCertificate } from './tls-certificate.ts';

/**
 * Makes a function that reads the certificate again and serves it if it has changed, to connections that are made from then
 * on. An unusable pair, such as a half-written one, is logged, and the previous one stays.
 *
 * @param served the certificate currently served
 */
export function certificateRenewal(
  host: Pick<FastifyInstance, 'renewCertificate'>,
  config: Config,
  served: Certificate,
  log: FastifyBaseLogger,
): () => Promise<void> {
  return async () => {
    try {
      const { cert, key } = await tlsCertificate(config);
      if (cert === served.cert && key === served.key) return;
      host.renewCertificate({ cert, key });
      served = { cert, key };
      log.info('the certificate was read again');
    } catch (err) {
      log.error({ err }, 'the certificate cannot be read again; the previous one stays in use');
    }
  };
}
