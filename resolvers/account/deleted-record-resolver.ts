import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { DeletedRecordStore } from '../../models/account/deleted-record.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { type DeletedRecord, DeletedRecordConnection, RestorableKind } from '../../schema/account/deleted-record.ts';
import { type Page, PageArgs } from '../../schema/page.ts';
import { GRACE_DAYS } from '../../tracking/retention/delete-record.ts';

const GRACE_MS = GRACE_DAYS * 86_400_000;

/** Deleted records, for whoever may restore all of them. */
@Resolver()
export class DeletedRecordResolver {
  @Access('owner')
  @Query(() => DeletedRecordConnection, {
    description: 'Deleted records of a kind that can be restored, in order of creation.',
  })
  async deletedRecords(
    @Arg('kind', () => RestorableKind, { description: 'Kind of the records.' }) kind: RestorableKind,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Page<DeletedRecord>> {
    const accessScope = accessScopeOf(context);
    const listed = { deleted_at: { $gt: new Date(Date.now() - GRACE_MS) } };
    const hidden = ['deleted_at'] as const;
    if (kind === 'device') {
      const { nodes, ...others } = await creationPage(DeviceStore, { accessScope, listed, hidden, ...page });
      const records = nodes.map(({ key, serial, deleted_at }) => deletedRecord(kind, key, serial, deleted_at));
      return { ...others, nodes: records };
    }
    const { nodes, ...others } = await creationPage(DeletedRecordStore, {
      accessScope,
      search: { kind },
      listed: { ...listed, with_account: false },
      hidden: [...hidden, 'key', 'document'],
      ...page,
    });
    const records = nodes.map(({ key, document, deleted_at }) => {
      return deletedRecord(kind, key, nameIn(document ?? {}), deleted_at);
    });
    return { ...others, nodes: records };
  }
}

function deletedRecord(kind: RestorableKind, key: string, name: string | null, deletedAt: Date | null): DeletedRecord {
  const deleted = deletedAt ?? new Date();
  return { kind, key, name, deleted, restorable_until: new Date(deleted.getTime() + GRACE_MS) };
}

/** Name of a vehicle or a user as it was stored; null without. */
function nameIn({ nickname, first_name, last_name, email }: Readonly<Record<string, unknown>>): string | null {
  const names = [first_name, last_name].filter((name) => typeof name === 'string').join(' ');
  return [nickname, names, email].map((name) => (typeof name === 'string' ? name : '')).find(Boolean) ?? null;
}
