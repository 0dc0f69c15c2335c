import { rootField, type RootFields } from '../access/root-field.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import { Preview, PREVIEW_READ } from '../schema/records/preview.ts';

import { findItem } from './find-item.ts';
import { itemPermissions } from './item-permissions.ts';
import { previewLink } from './preview-link.ts';

/** The root field for the preview of an item of a kind, for those who may edit it: `postPreview`. */
export function previewResolver(kind: ContentKind): RootFields {
  const may = itemPermissions(kind);
  return {
    queries: {
      [`${kind.one}Preview`]: rootField(
        `The address of a preview of one of the ${kind.many}.`,
        { returns: Preview, takes: PREVIEW_READ, permitted: ({ id }, context) => may.update({ id }, context) },
        async ({ id }, context) => previewLink(await findItem(context.service, kind, id), context),
      ),
    },
  };
}
