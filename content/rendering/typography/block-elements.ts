const BLOCKS =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|' +
  'math|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|' +
  'menu|summary';

const OPENING_BLOCK = new RegExp(`<(?:${BLOCKS})[\\s/>]`, 'g');
const CLOSING_BLOCK = new RegExp(`</(?:${BLOCKS})>`, 'g');
const BLOCK_TAG = new RegExp(`^</?(?:${BLOCKS})[^>]*>`);
const BLOCK_START = new RegExp(`</?(?:${BLOCKS})`);
const TIGHT_TAG = /^<\/?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>/;

/** Puts an empty line before every opening tag of a block element, and one after every closing tag. */
export function setBlocksApart(html: string): string {
  return html.replace(OPENING_BLOCK, '\n\n$&').replace(CLOSING_BLOCK, '$&\n\n');
}

/** Tells whether the source is the tag of a block element. A name that only begins like one counts: such tags stand alone as well. */
export function isBlockTag(source: string): boolean {
  return BLOCK_TAG.test(source);
}

/** Tells whether the source of a tag ends with one of a block element that is written in one line; a stray `<` may come before it. */
export function endsWithBlockTag(source: string): boolean {
  return source.endsWith('>') && BLOCK_START.test(source.slice(source.lastIndexOf('\n') + 1));
}

/** Tells whether a line break before this tag is dropped. */
export function isTightTag(source: string): boolean {
  return TIGHT_TAG.test(source);
}
