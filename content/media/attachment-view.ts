import type { Attachment } from '../schema/records/attachment.ts';
import { type ItemView, itemView } from '../items/item-view.ts';
import { capitalP } from '../rendering/title.ts';
import { expandShortcodes, renderContent } from '../rendering/content.ts';
import { renderExcerpt, trimExcerpt } from '../rendering/excerpt.ts';
import type { RenderSettings } from '../rendering/render-context.ts';
import { showSmilies } from '../rendering/smilies.ts';

import { attachmentParagraph, type ShownMedia } from './files/image-markup.ts';
import { isImage, shownDetails, sourceUrl } from './files/shown-details.ts';

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
