import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { actorIn } from '../../auth/security-events.ts';
import { AccountStore } from '../../models/account/account.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { Account, AccountInput } from '../../schema/account/account.ts';
import { changedSettings } from '../../models/trips/trip-limits.ts';
import { ExpiredTrips } from '../../schema/account/retention.ts';
import { TripSettingsInput } from '../../schema/account/trip-settings.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { changeRetention } from '../../tracking/retention/change-retention.ts';

/** An account as the database has it; what is counted is added when asked for. */
type StoredAccount = Omit<Account, 'user_count'>;

/** The caller's own account. */
@Resolver(() => Account)
export class AccountResolver {
  @Access('account.read')
  @Query(() => Account, { description: "The caller's account." })
  async account(@Ctx() { service, caller }: RequestContext): Promise<StoredAccount> {
    const account = await AccountStore.findOne(accessScopeOf({ service, caller }));
    if (!account) throw notFound('account');
    return account;
  }

  @Access('account.manage', 'unrestricted')
  @Mutation(() => Account, { description: "Updates the caller's account. Omitted fields stay unchanged." })
  async updateAccount(
    @Arg('input', () => AccountInput, { description: 'The fields to change.' }) input: AccountInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<StoredAccount> {
    const accessScope = accessScopeOf({ service, caller });
    const fields = AccountInput.read(input);
    if (Object.keys(fields).length === 0) return this.account({ service, caller });
    const change = { ...fields, updated: new Date() };
    const account = await AccountStore.findOneAndUpdate(accessScope, {}, change, { returnDocument: 'after' });
    if (!account) throw notFound('account');
    return account;
  }

  @Access('account.manage', 'unrestricted')
  @Mutation(() => Account, {
    description: 'Changes what decides where trips begin and end. Trips that were recorded before stay as they are.',
  })
  async updateTripSettings(
    @Arg('input', () => TripSettingsInput, { description: 'The settings to change.' }) input: TripSettingsInput,
    @Ctx() context: RequestContext,
  ): Promise<StoredAccount> {
    const accessScope = accessScopeOf(context);
    const account = await this.account(context);
    const fields = TripSettingsInput.read(input);
    if (fields.reporter === 'secondary')
      throw new ServiceError(
        'BAD_REQUEST',
        'reporter must not be secondary for all devices: an account has no trips then',
      );
    if (Object.keys(fields).length === 0) return account;
    const changed = changedSettings(account.trip_settings, fields);
    await AccountStore.updateOne(accessScope, {}, { trip_settings: changed, updated: new Date() });
    return this.account(context);
  }

  @Access('owner', 'recent-sign-in')
  @Mutation(() => Account, {
    description:
      'Changes how long positions are kept. A shorter retention is pending for seven days and can be reverted ' +
      'until then. After that, expired positions are deleted within an hour and cannot be restored.',
  })
  async updateRetention(
    @Arg('positions_days', () => Int, {
      nullable: true,
      description: 'Days, 1 to 3650; null for no limit; unchanged if omitted.',
    })
    positions_days: number | null | undefined,
    @Arg('trips', () => ExpiredTrips, {
      nullable: true,
      description: 'What happens to expired trips; unchanged if omitted. Initially `keep_facts`.',
    })
    trips: ExpiredTrips | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<StoredAccount> {
    await changeRetention(accessScopeOf(context), { positions_days, trips }, actorIn(context));
    return this.account(context);
  }

  @FieldResolver(() => Int)
  user_count(@Root() account: Account, @Ctx() { service }: RequestContext): Promise<number> {
    return UserStore.countDocuments(accountAccessScope(service, account.key));
  }
}
