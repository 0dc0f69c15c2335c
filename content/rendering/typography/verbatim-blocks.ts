/** Marks what was set aside: a character that Unicode sets aside for such inner use. */
const MARK = '\ufdd3';

/** Sets the `pre` elements of a text aside: `html` has an empty one for each, and `restore` puts them back. */
export function setVerbatimAside(text: string): { html: string; restore: (html: string) => string } {
  if (!text.includes('<pre')) return { html: text, restore: (html) => html };
  const aside: string[] = [];
  const parts = text.split('</pre>');
  const rest = parts.pop() ?? '';
  const shortened = parts.map((part) => {
    const start = part.indexOf('<pre');
    if (start < 0) return part;
    aside.push(`${part.slice(start)}</pre>`);
    return `${part.slice(0, start)}<pre ${MARK}${aside.length - 1}></pre>`;
  });
  return {
    html: shortened.join('') + rest,
    restore: (html) => html.replace(/<pre \ufdd3(\d+)><\/pre>/g, (mark, index) => aside[Number(index)] ?? mark),
  };
}
