import { accountAccessScope } from '../store/tenancy.ts';
import { AccountStore } from './account.ts';
import type { Service } from '../store/service.ts';

/** Reads the name of an account; null if it has none. */
export async function accountNickname(service: Service, accountKey: string): Promise<string | null> {
  const accessScope = accountAccessScope(service, accountKey);
  const account = await AccountStore.findOne(accessScope, {}, { nickname: 1 });
  return account?.nickname ?? null;
}
