import { accountAccessScope } from '../tenancy.ts';
import { AccountModel } from './account.ts';

/** Reads the name of an account; null if it has none. */
export async function accountNickname(accountKey: string): Promise<string | null> {
  const accessScope = accountAccessScope(accountKey);
  const account = await AccountModel.findOne({}, { nickname: 1 }, { accessScope }).lean();
  return account?.nickname ?? null;
}
