import type { ServedKind } from '../items/item-resolver.ts';
import { writtenItemView } from '../items/item-view.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';

import { attachmentView } from './attachment-view.ts';
import { mediaChanges, mediaFilter } from './media-changes.ts';

/** Joins a kind to its functions: those of uploads, or those of everything that is written. */
export function serve(kind: ContentKind): ServedKind {
  return kind.isUploaded
    ? { kind, view: attachmentView, narrow: mediaFilter, changes: mediaChanges }
    : { kind, view: writtenItemView };
}
