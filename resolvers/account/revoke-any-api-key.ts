import { revokeApiKey } from '../../auth/api-keys.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';

import { unknownKey } from '../input/unknown-key.ts';

/** Revokes an API key of any account at once; repeating it is fine. */
export async function revokeAnyApiKey(id: string): Promise<void> {
  if (!(await revokeApiKey(id, UNRESTRICTED))) throw unknownKey('id', 'an API key (its id)', id);
}
