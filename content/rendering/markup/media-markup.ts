import { trimEndOf } from './white-space.ts';

/** A tag beside which white space means nothing, and so must not become a break. */
interface CloseTag {
  readonly tag: RegExp;
  readonly sides: 'before' | 'after' | 'both';
  /** The rule holds only where such a tag stands somewhere. */
  readonly beside: RegExp;
}

const OPTION = /^<option/;
const FIGURE_CAPTION = /^<figcaption/;
const MEDIA = /^<(?:source|track)/;
const OBJECT_END = /^<\/object>/;

const CLOSE_TAGS: readonly CloseTag[] = [
  { tag: OPTION, sides: 'before', beside: OPTION },
  { tag: /^<\/option>/, sides: 'after', beside: OPTION },
  { tag: /^<object[^>]*>/, sides: 'after', beside: OBJECT_END },
  { tag: OBJECT_END, sides: 'before', beside: OBJECT_END },
  { tag: /^<\/?(?:param|embed)[^>]*>/, sides: 'both', beside: OBJECT_END },
  { tag: /^<(?:audio|video)[^>]*>/, sides: 'after', beside: MEDIA },
  { tag: /^<\/(?:audio|video)>/, sides: 'before', beside: MEDIA },
  { tag: /^<(?:source|track)[^>]*>/, sides: 'both', beside: MEDIA },
  { tag: /^<figcaption[^>]*>/, sides: 'before', beside: FIGURE_CAPTION },
  { tag: /^<\/figcaption>/, sides: 'after', beside: FIGURE_CAPTION },
];

/** Takes out white space beside the tags of options, objects, sound, film and captions. A piece is a tag or text. */
export function detachMedia(pieces: readonly string[]): string[] {
  const rules = CLOSE_TAGS.filter(({ beside }) => pieces.some((piece) => beside.test(piece)));
  const closes = (tag: string | undefined, side: 'before' | 'after') =>
    tag !== undefined && rules.some((rule) => rule.sides !== opposite[side] && rule.tag.test(tag));
  return pieces
    .map((piece, at) => {
      if (piece.startsWith('<')) return piece;
      const started = closes(pieces[at - 1], 'after') ? piece.replace(/^[ \t\n\v\f\r]+/, '') : piece;
      return closes(pieces[at + 1], 'before') ? trimEndOf(started, ' \t\n\v\f\r') : started;
    })
    .filter((piece) => piece !== '');
}

const opposite = { before: 'after', after: 'before' } as const;
