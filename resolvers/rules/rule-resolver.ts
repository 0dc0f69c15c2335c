import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { rulesChanged, RuleStore, type StoredRule } from '../../models/rules/rule.ts';
import { Deletion } from '../../schema/deletion.ts';
import { type Page, PageArgs } from '../../schema/page.ts';
import { MIN_SILENT_MINUTES, Rule, RuleConnection, RuleInput, RuleNameInput } from '../../schema/rules/rule.ts';
import { shownRecord } from '../../models/lookup/shown-record.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { newKey } from '../../models/key.ts';
import { RuleEventStore } from '../../models/rules/rule-event.ts';
import { type AccessScope, tripsAccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { checkName } from '../../schema/check-name.ts';
import { unknownKey } from '../../models/lookup/unknown-key.ts';

/** Rules that an account may have: each is applied to every position. */
const MAX_RULES = 100;
/** Vehicles that a rule may name. */
const MAX_VEHICLES = 1000;
/** Miles per hour. */
const MAX_SPEED = 300;
/** Thirty days. */
const MAX_SILENT_MINUTES = 43_200;

/**
 * Creates a rule, for positions from now on.
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
async function createRule(accessScope: AccessScope, input: RuleInput): Promise<StoredRule> {
  const { speed_limit = null, silent_minutes = null } = input;
  const name = checkName('name', input.name);
  if ((speed_limit === null) === (silent_minutes === null))
    throw new ServiceError('BAD_REQUEST', 'speed_limit or silent_minutes is required, and not both');
  if (speed_limit !== null && !(speed_limit > 0 && speed_limit <= MAX_SPEED))
    throw new ServiceError('BAD_REQUEST', `speed_limit must be above 0, up to ${MAX_SPEED}`);
  if (silent_minutes !== null && !(silent_minutes >= MIN_SILENT_MINUTES && silent_minutes <= MAX_SILENT_MINUTES))
    throw new ServiceError('BAD_REQUEST', `silent_minutes must be ${MIN_SILENT_MINUTES} to ${MAX_SILENT_MINUTES}`);
  const vehicle_keys = await checkVehicles(accessScope, input.vehicle_keys ?? []);
  const count = await RuleStore.countDocuments(accessScope);
  if (count >= MAX_RULES) throw new ServiceError('BAD_REQUEST', `An account has at most ${MAX_RULES} rules`);
  const now = new Date();
  const { account_key } = accessScope;
  const rule = await RuleStore.create(accessScope, {
    ...{ name, speed_limit, silent_minutes, vehicle_keys },
    ...{ key: newKey(), account_key, since: now, created: now, updated: now },
  });
  await rulesChanged(accessScope.service, account_key);
  return rule as StoredRule;
}

/**
 * Renames a rule.
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming the parameter
 */
async function renameRule(accessScope: AccessScope, key: string, name: string): Promise<StoredRule> {
  const change = { name: checkName('name', name), updated: new Date() };
  const rule = await RuleStore.findOneAndUpdate(accessScope, { key }, change, { returnDocument: 'after' });
  if (!rule) throw notFound('rule');
  return rule;
}

/**
 * Deletes a rule with its events. They go before it, so that it is still there to be deleted again if that is interrupted,
 * and once more after it, since positions may have made others.
 * @throws ServiceError NOT_FOUND
 */
async function deleteRule(accessScope: AccessScope, key: string): Promise<void> {
  const ofAll = tripsAccessScope(accessScope, null);
  const deleteEvents = () => RuleEventStore.deleteMany(ofAll, { rule_key: key });
  await deleteEvents();
  const { deletedCount } = await RuleStore.deleteOne(accessScope, { key });
  if (deletedCount === 0) throw notFound('rule');
  await rulesChanged(ofAll.service, accessScope.account_key);
  await deleteEvents();
}

/** @throws ServiceError BAD_REQUEST naming a key that no vehicle of the account has */
async function checkVehicles(accessScope: AccessScope, keys: readonly string[]): Promise<string[]> {
  const distinct = [...new Set(keys)];
  if (distinct.length > MAX_VEHICLES)
    throw new ServiceError('BAD_REQUEST', `vehicle_keys must have at most ${MAX_VEHICLES} keys`);
  const found = await VehicleStore.find(accessScope, { key: { $in: distinct } }, 'key');
  const known = new Set(found.map(({ key }) => key));
  const unknown = distinct.find((key) => !known.has(key));
  if (unknown !== undefined) throw unknownKey('vehicle_keys', 'a vehicle of the account', unknown);
  return distinct;
}

const KEY = 'Key of the rule.';

/** Rules, which name vehicles of the whole account: users who are restricted to groups see none. */
@Resolver()
export class RuleResolver {
  @Access('account_activity.read', 'unrestricted')
  @Query(() => RuleConnection, { description: "The account's rules, in order of creation." })
  rules(@Args(() => PageArgs) page: PageArgs, @Ctx() { service, caller }: RequestContext): Promise<Page<Rule>> {
    return creationPage(RuleStore, { accessScope: accessScopeOf({ service, caller }), ...page });
  }

  @Access('account_activity.read', 'unrestricted')
  @Query(() => Rule, { nullable: true, description: 'One rule.' })
  async rule(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Rule> {
    return shownRecord(RuleStore, { accessScope: accessScopeOf({ service, caller }), filter: { key } }, 'rule');
  }

  @Access('account_activity.manage', 'unrestricted')
  @Mutation(() => Rule, { description: 'Creates a rule. It applies to positions from now on.' })
  createRule(
    @Arg('input', () => RuleInput, { description: 'The fields of the rule.' }) input: RuleInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Rule> {
    return createRule(accessScopeOf({ service, caller }), input);
  }

  @Access('account_activity.manage', 'unrestricted')
  @Mutation(() => Rule, { description: 'Renames a rule.' })
  updateRule(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Arg('input', () => RuleNameInput, { description: 'The fields to change.' }) input: RuleNameInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Rule> {
    return renameRule(accessScopeOf({ service, caller }), key, input.name);
  }

  @Access('account_activity.manage', 'unrestricted')
  @Mutation(() => Deletion, { description: 'Deletes a rule with all its events.' })
  async deleteRule(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Deletion> {
    await deleteRule(accessScopeOf({ service, caller }), key);
    return { key, deleted: true };
  }
}
