import { ADDRESS, contentRecord, text } from '../content-field.ts';
import { NOT_EMBEDDED } from '../display-context.ts';
import { idOf } from '../list-parameters.ts';

/** The address of a preview. */
export const Preview = contentRecord(
  { name: 'Preview', title: 'preview' },
  'The address at which an item is shown before it is published.',
  {
    link: text(NOT_EMBEDDED, 'URL that shows the object as it is now, until it is saved again.', ADDRESS),
    expires_gmt: text(NOT_EMBEDDED, 'The date until which it does so, as GMT.', {
      readonly: true,
      schema: { format: 'date-time' },
    }),
  },
);

/** `GET …/{id}/preview`. */
export const PREVIEW_READ = idOf();
