import { Ctx, Mutation, Resolver } from 'type-graphql';

import { may } from '../access/capabilities.ts';
import { Attachment } from '../schema/records/attachment.ts';
import { ATTACHMENT } from '../schema/kinds/content-kinds.ts';
import { MEDIA_WRITE } from '../schema/parameters/media-parameters.ts';
import { Takes } from '../schema/takes.ts';
import type { ContentContext } from '../access/content-context.ts';
import { findAnyItem } from '../items/find-item.ts';
import { type ItemArguments, itemChanges } from '../items/item-changes.ts';
import { itemPermissions, reject } from '../items/item-permissions.ts';
import { FOR_EDITING, showItem } from '../items/show-items.ts';
import { insertItem } from '../items/write-item.ts';
import { attachmentView } from './attachment-view.ts';
import { mediaStorage } from './storage/chosen-storage.ts';
import { type PermissionCheck, Permitted } from '../access/permitted.ts';
import type { ViewOf } from '../access/view-of.ts';

import { mediaChanges } from './media-changes.ts';
import { readUpload } from './files/read-upload.ts';
import { uploadUrl } from './files/shown-details.ts';
import { splitFileName } from './files/file-name.ts';
import { filesOf, takeUpload } from './files/take-upload.ts';

const written = itemPermissions(ATTACHMENT);

/** Checks who may upload: users who may upload at all, to a post that they may change. */
const uploaders: PermissionCheck<Readonly<Record<string, unknown>>> = async (given, context) => {
  await written.create(given, context);
  if (!may(context.caller, 'upload_files')) {
    reject('rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.', context);
  }
  if (!given.post) return;
  const parent = await findAnyItem(given.post);
  if (parent === null || !may(context.caller, 'edit_post', parent)) {
    reject('rest_cannot_edit', 'Sorry, you are not allowed to upload media to this post.', context);
  }
};

/** `POST /wp/v2/media`: media are not written but uploaded. */
@Resolver()
export class MediaResolver {
  @Permitted(uploaders)
  @Mutation(() => Attachment, { description: 'Adds a file that is uploaded to the media.' })
  async createAttachment(
    @Takes(MEDIA_WRITE) args: ItemArguments,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<Attachment>> {
    const own = await mediaChanges({ ...args }, context);
    const upload = await readUpload(context.body);
    const changes = await itemChanges(ATTACHMENT, args, null, context);
    const file = await takeUpload(upload, await context.settings(), new Date());
    try {
      const title = changes.title || splitFileName(file.path.replace(/^.*\//, ''))[0];
      const item = await insertItem(
        ATTACHMENT,
        {
          ping_status: 'closed',
          status: 'inherit',
          ...changes,
          ...own,
          title,
          guid: uploadUrl(file.path, context.site),
          mime_type: file.type,
          file: file.path,
          media_details: { ...file.details },
        },
        context,
      );
      return showItem(attachmentView, item, FOR_EDITING, context);
    } catch (error) {
      await mediaStorage.remove(filesOf(file.path, file.details));
      throw error;
    }
  }
}
