const SINGLE = new Set(
  'area base basefont br col command embed frame hr img input isindex link meta param source track wbr'.split(' '),
);
const NESTABLE = new Set('article aside blockquote details div figure object q section span'.split(' '));
const TAG = /<(\/?[\w:]*)[ \t\n\v\f\r]*([^>]*)>/g;

/** Closes open elements and drops stray end tags. An element that may not contain its own kind ends the outer one. */
export function balanceTags(html: string): string {
  const text = html.replaceAll('< !--', '<    !--').replace(/<(?=[0-9])/g, '&lt;');
  const open: string[] = [];
  const written: string[] = [];
  let from = 0;
  for (const match of text.slice(0, text.lastIndexOf('>') + 1).matchAll(TAG)) {
    const [tag, name = '', attributes = ''] = match;
    written.push(text.slice(from, match.index));
    from = match.index + tag.length;
    written.push(
      name.startsWith('/') ? closing(name.slice(1).toLowerCase(), open) : opening(name.toLowerCase(), attributes, open),
    );
  }
  written.push(text.slice(from), ...endTags(open));
  return written.join('').replaceAll('< !--', '<!--').replaceAll('<    !--', '< !--');
}

/** Ends the element and those left open in it; an unmatched end tag is dropped. */
function closing(name: string, open: string[]): string {
  const at = open.lastIndexOf(name);
  return at < 0 ? '' : endTags(open.splice(at)).join('');
}

function opening(name: string, attributes: string, open: string[]): string {
  let before = '';
  let rest = attributes;
  if (name !== '' && attributes.endsWith('/')) {
    if (!SINGLE.has(name)) rest = `${attributes.slice(0, -1).trim()}></${name}`;
  } else if (SINGLE.has(name)) {
    rest = `${attributes}/`;
  } else if (name !== '') {
    if (!NESTABLE.has(name) && open.at(-1) === name) before = endTags(open.splice(-1)).join('');
    open.push(name);
  }
  const gap = rest !== '' && rest !== '0' && !rest.startsWith('>') ? ' ' : '';
  return `${before}<${name}${gap}${rest}>`;
}

function endTags(names: readonly string[]): string[] {
  return names.toReversed().map((name) => `</${name}>`);
}
