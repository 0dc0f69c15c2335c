import type { ServedKind } from '../items/item-resolver.ts';
import { writtenItemView, type ItemView, itemView } from '../items/item-view.ts';
import { type ContentKind, kindOf } from '../schema/kinds/content-kinds.ts';

import type { Attachment } from '../schema/records/attachment.ts';
import { capitalP } from '../rendering/title.ts';
import { expandShortcodes, renderContent } from '../rendering/content.ts';
import { renderExcerpt, trimExcerpt } from '../rendering/excerpt.ts';
import type { RenderSettings } from '../rendering/render-context.ts';
import { showSmilies } from '../rendering/smilies.ts';
import { attachmentParagraph, type ShownMedia } from './files/image-markup.ts';
import { isImage, shownDetails, sourceUrl } from './files/media-details.ts';
import type { FilterOf } from '../../models/store/plain-store.ts';
import type { ItemChanges, StoredItem } from '../models/content-item.ts';
import { ContentError } from '../schema/content-error.ts';
import { findAnyItem } from '../items/find-item.ts';
import { textOf } from '../items/item-changes.ts';
import { isAllowedType, typesOfFamily } from './files/allowed-types.ts';
import type { Service } from '../../models/store/service.ts';

/** An attachment. */
export const attachmentView: ItemView<Attachment> = (source) => {
  const { item, rendering, context } = source;
  const { site } = context;
  const describe = () => renderDescription(item, item.content, rendering.settings);
  return {
    ...itemView(source),
    description: () => ({ raw: item.content, rendered: describe() }),
    caption: () => ({
      raw: item.excerpt,
      rendered: renderExcerpt(item.excerpt || trimExcerpt(describe()), '', rendering.settings),
    }),
    alt_text: item.alt_text,
    media_type: isImage(item) ? 'image' : 'file',
    mime_type: item.mime_type,
    media_details: () => shownDetails(item, site),
    post: item.parent === 0 ? null : item.parent,
    source_url: () => sourceUrl(item, site),
  };
};

/** The description as HTML, with the attachment itself above it. */
function renderDescription(item: ShownMedia, description: string, settings: RenderSettings): string {
  const paragraph = capitalP(attachmentParagraph(item, settings.siteUrl));
  const shown = showSmilies(expandShortcodes(paragraph), settings);
  return `${shown}\n${renderContent(description, settings)}`;
}

/** Combines a kind with its functions: those of uploads, or those of written content. */
export function serve(kind: ContentKind): ServedKind {
  return kind.isUploaded
    ? { kind, view: attachmentView, narrow: mediaFilter, changes: mediaChanges }
    : { kind, view: writtenItemView };
}

/**
 * Reads the changes of an attachment beside those that all kinds take.
 *
 * @throws ContentError `rest_invalid_param` if its post is of a kind that cannot have attachments
 */
export async function mediaChanges(service: Service, args: Readonly<Record<string, unknown>>): Promise<ItemChanges> {
  await checkPlace(service, args.post);
  const caption = textOf(args.caption);
  const description = textOf(args.description);
  return {
    ...(caption === undefined ? {} : { excerpt: caption }),
    ...(description === undefined ? {} : { content: description }),
    // The reference treats backslashes as escapes here, and nowhere else.
    ...(typeof args.alt_text === 'string' ? { alt_text: args.alt_text.replace(/\\(.?)/gs, '$1') } : {}),
    ...(typeof args.post === 'number' ? { parent: Math.max(0, args.post) } : {}),
    // An attachment is as public as its post, unless it is private.
    ...(args.status === undefined ? {} : { status: args.status === 'private' ? 'private' : 'inherit' }),
  };
}

/** Makes the filter of a list of media: one MIME type that may be uploaded, else a family of them, else nothing. */
function mediaFilter(args: Readonly<Record<string, unknown>>): FilterOf<StoredItem> {
  const { media_type, mime_type } = args;
  if (typeof mime_type === 'string' && isAllowedType(mime_type)) return { mime_type };
  if (typeof media_type !== 'string') return {};
  return media_type === 'font' ? { mime_type: /^font\// } : { mime_type: { $in: [...typesOfFamily(media_type)] } };
}

/** Media are attached to posts and pages. */
async function checkPlace(service: Service, post: unknown): Promise<void> {
  const parent = await findAnyItem(service, post);
  if (parent && kindOf(parent.type)?.isUploaded !== false) {
    throw new ContentError('rest_invalid_param', 'Invalid parent type.', 400);
  }
}
