import { ATTACHMENT_LIST, checkedWithRights, ATTACHMENT_WRITE } from './item-parameters.ts';
import { CONTEXT, idOf } from '../list-parameters.ts';
import { type ParameterTable, written } from '../parameter.ts';

/** The families of media as lists publish them. */
const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'] as const;

/** `GET /wp/v2/media`. */
export const MEDIA_LIST = {
  ...ATTACHMENT_LIST,
  status: {
    type: 'array',
    description: 'Limit result set to posts assigned one or more statuses.',
    items: { type: 'string', enum: ['inherit', 'private', 'trash'] },
    default: 'inherit',
    check: checkedWithRights,
  },
  media_type: {
    type: 'string',
    description: 'Limit result set to attachments of a particular media type.',
    enum: MEDIA_TYPES,
    check: checkMediaType,
  },
  mime_type: { type: 'string', description: 'Limit result set to attachments of a particular MIME type.' },
} as const satisfies ParameterTable;

/** `GET` of one of the media. */
export const MEDIA_READ = { ...idOf(), ...CONTEXT } as const satisfies ParameterTable;

/** Fields of media that can be written; texts are objects or plain, which their resolver tells apart. */
export const MEDIA_WRITE = written({
  ...ATTACHMENT_WRITE,
  alt_text: {
    type: 'string',
    description: 'Alternative text to display when attachment is not displayed.',
    clean: 'text',
  },
  caption: { type: 'object', description: 'The attachment caption.', unchecked: true },
  description: { type: 'object', description: 'The attachment description.', unchecked: true },
  post: { type: 'integer', description: 'The ID for the associated post of the attachment.' },
});

/** The specification lists `font`, the reference `text`: both are taken, and what is published is the reference's. */
function checkMediaType(value: unknown, name: string): string | undefined {
  const isKnown = value === 'font' || (MEDIA_TYPES as readonly unknown[]).includes(value);
  return isKnown ? undefined : `${name} is not one of ${MEDIA_TYPES.join(', ')}.`;
}
