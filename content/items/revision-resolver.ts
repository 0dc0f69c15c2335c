import { may } from '../access/capabilities.ts';
import type { StoredItem } from '../models/content-item.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import { listOf, type ViewOf } from '../schema/content-field.ts';
import {
  type Revision,
  REVISION_DELETE,
  REVISION_LIST,
  REVISION_READ,
  revisionOf,
} from '../schema/records/revision.ts';
import { type ContentContext, reject } from '../access/content-context.ts';
import { rootField, type RootFields, type RawArguments } from '../access/root-field.ts';
import { renderContent } from '../rendering/content.ts';
import { renderExcerpt } from '../rendering/excerpt.ts';
import { renderTitle } from '../rendering/title.ts';

import { findAnyItem } from './find-item.ts';
import { deleteRevision, revisionsOf } from './revisions.ts';
import type { Service } from '../../models/store/service.ts';

/** The root fields for revisions of items of a kind: `postRevisions`, `postRevision`, `deletePostRevision`. */
export function revisionResolver(kind: ContentKind): RootFields {
  const record = revisionOf(kind);
  const one = `${kind.one}Revision`;
  return {
    queries: {
      [`${one}s`]: rootField(
        `Revisions of one of the ${kind.many}, newest first.`,
        { returns: listOf(record), takes: REVISION_LIST, permitted: checkParent },
        async ({ parent }, context) =>
          Promise.all((await revisionsOf(context.service, parent ?? 0)).map((revision) => show(revision, context))),
      ),
      [one]: rootField(
        `A revision of one of the ${kind.many}.`,
        { returns: record, takes: REVISION_READ, permitted: checkParent },
        async (args, context) => show(await findRevision(context.service, args), context),
      ),
    },
    mutations: {
      [`delete${record.name}`]: rootField(
        'Deletes a revision permanently.',
        { returns: record, takes: REVISION_DELETE, permitted: checkRemoval },
        async (args, context) => {
          const revision = await findRevision(context.service, args);
          if (!args.force) {
            const message = "Revisions do not support trashing. Set 'force=true' to delete.";
            throw new ContentError('rest_trash_not_supported', message, 501);
          }
          if (!(await deleteRevision(context.service, revision))) throw noRevision();
          return show(revision, context);
        },
      ),
    },
  };

  /** Callers who may change an item may see its revisions. */
  async function checkParent({ parent }: RawArguments, context: ContentContext): Promise<StoredItem> {
    const item = await findAnyItem(context.service, parent);
    if (item?.type !== kind.type) throw new ContentError('rest_post_invalid_parent', 'Invalid post parent ID.', 404);
    if (!may(context.caller, 'edit_post', item)) {
      reject('rest_cannot_read', 'Sorry, you are not allowed to view revisions of this post.', context);
    }
    return item;
  }

  async function checkRemoval(given: RawArguments, context: ContentContext): Promise<void> {
    const item = await checkParent(given, context);
    await findRevision(context.service, given);
    if (!may(context.caller, 'delete_post', item)) {
      reject('rest_forbidden', 'Sorry, you are not allowed to do that.', context);
    }
  }
}

/** A revision of the item that the path names; other revisions are not found. */
async function findRevision(service: Service, { parent, id }: RawArguments): Promise<StoredItem> {
  const revision = await findAnyItem(service, id);
  if (revision?.type !== 'revision' || revision.parent !== parent) {
    throw noRevision();
  }
  return revision;
}

function noRevision(): ContentError {
  return new ContentError('rest_post_invalid_id', 'Invalid revision ID.', 404);
}

async function show(revision: StoredItem, context: ContentContext): Promise<ViewOf<Revision>> {
  const { use_smilies: smilies } = await context.settings();
  const settings = { smilies, siteUrl: context.site };
  const { guid, title, content, excerpt } = revision;
  return {
    ...revision,
    guid: { rendered: guid, raw: guid },
    title: () => ({ raw: title, rendered: renderTitle(title) }),
    content: () => ({ raw: content, rendered: renderContent(content, settings) }),
    excerpt: () => ({ raw: excerpt, rendered: excerpt === '' ? '' : renderExcerpt(excerpt, '', settings) }),
  };
}
