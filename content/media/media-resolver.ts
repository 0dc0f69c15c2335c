import { may } from '../access/capabilities.ts';
import { Attachment } from '../schema/records/attachment.ts';
import { ATTACHMENT } from '../schema/kinds/content-kinds.ts';
import { MEDIA_WRITE } from '../schema/parameters/item-parameters.ts';
import { toInteger, isTruthy } from '../schema/php-values.ts';
import { findAnyItem } from '../items/find-item.ts';
import { type ItemArguments, itemChanges } from '../items/item-changes.ts';
import { itemPermissions } from '../items/item-permissions.ts';
import { FOR_EDITING, showItem } from '../items/item-view.ts';
import { insertItem } from '../items/write-item.ts';
import { attachmentView, mediaChanges } from './served-kinds.ts';
import { mediaStorage } from './storage/media-storage.ts';
import { rootField, type RootFields, type PermissionCheck } from '../access/root-field.ts';

import { readUpload } from './files/read-upload.ts';
import { uploadUrl } from './files/media-details.ts';
import { splitFileName } from './files/file-name.ts';
import { filesOf, takeUpload } from './files/take-upload.ts';
import { reject } from '../access/content-context.ts';

const written = itemPermissions(ATTACHMENT);

/** Checks who may upload: users who may upload at all, to a post that they may change. */
const uploaders: PermissionCheck = async (given, context) => {
  await written.create(given, context);
  if (!may(context.caller, 'upload_files')) {
    reject('rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.', context);
  }
  if (!isTruthy(given.post)) return;
  const parent = await findAnyItem(context.service, toInteger(given.post));
  if (parent === null || !may(context.caller, 'edit_post', parent)) {
    reject('rest_cannot_edit', 'Sorry, you are not allowed to upload media to this post.', context);
  }
};

/** `POST /wp/v2/media`: media are uploaded, not written. */
export const mediaResolver: RootFields = {
  mutations: {
    createAttachment: rootField(
      'Uploads a file to the media.',
      { returns: Attachment, takes: MEDIA_WRITE, permitted: uploaders },
      async (args: ItemArguments, context) => {
        const own = await mediaChanges(context.service, { ...args });
        const upload = await readUpload(context.body);
        const changes = await itemChanges(ATTACHMENT, args, null, context);
        const file = await takeUpload(context.service, upload, await context.settings(), new Date(), context.memory);
        const stored = {
          title: changes.title || splitFileName(file.path.replace(/^.*\//, ''))[0],
          guid: uploadUrl(file.path, context.site),
          mime_type: file.type,
          file: file.path,
          media_details: { ...file.details },
        };
        try {
          const fields = { ping_status: 'closed', status: 'inherit', ...changes, ...own, ...stored };
          const item = await insertItem(ATTACHMENT, fields, context);
          return showItem(attachmentView, item, FOR_EDITING, context);
        } catch (error) {
          await mediaStorage(context.service).remove(filesOf(file.path, file.details));
          throw error;
        }
      },
    ),
  },
};
