import { expect, test } from 'vitest';

import { serve } from '../../../server/service/serve.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

test.each(['/api/v2/account', '/api/special-purpose/v1/token', '/site/relief.svg'])(
  'a start with GraphQL at %s, where something else answers, is refused in a sentence',
  async (path) => {
    const env = {
      DATA_DIR: await temporaryFolder(),
      PORT: '0',
      LOG_LEVEL: 'silent',
      GRAPHQL_URL: `https://localhost${path}`,
    };
    await expect(serve({ env, demo: 'refused' })).rejects.toMatchObject({
      name: 'StartError',
      message: `Two addresses lead to the same path ${path}; change the path of GRAPHQL_URL, BASE_URL, AUTH_URL or SITE_URL`,
    });
  },
);
