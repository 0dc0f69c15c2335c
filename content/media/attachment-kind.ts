import { Attachment } from '../schema/records/attachment.ts';
import { MEDIA_LIST, MEDIA_READ, MEDIA_WRITE } from '../schema/parameters/media-parameters.ts';
import type { ContentKind } from '../items/content-kind.ts';

import { attachmentView } from './attachment-view.ts';
import { mediaChanges, mediaFilter } from './media-changes.ts';

/** Media: uploaded files. */
export const ATTACHMENT: ContentKind<Attachment> = {
  type: 'attachment',
  one: 'attachment',
  many: 'media',
  record: Attachment,
  view: attachmentView,
  list: MEDIA_LIST,
  narrow: mediaFilter,
  read: MEDIA_READ,
  write: MEDIA_WRITE,
  changes: mediaChanges,
  hasRevisions: false,
  hasTrash: false,
  mustSaySomething: false,
  noun: 'posts',
};
