import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { RuleStore } from '../../models/rules/rule.ts';
import { Deletion } from '../../schema/deletion.ts';
import type { Page } from '../../schema/page.ts';
import { Rule, RuleConnection, RuleInput, RuleNameInput } from '../../schema/rules/rule.ts';

import { shownRecord } from '../input/shown-record.ts';
import { creationPage } from '../pages/creation-page.ts';
import { PageArgs } from '../pages/page-args.ts';
import { createRule, deleteRule, renameRule } from './manage-rule.ts';

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
  @Mutation(() => Rule, { description: 'Creates a rule. Positions from this moment on make its events.' })
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
