import { type Html, html } from '../../http/answers/html.ts';

/** An example that can be copied. */
export interface CodeExample {
  /** Unique on the page. */
  readonly id: string;
  /** Name of the example, for its header and for the copy button. */
  readonly label: string;
  readonly code: string;
}

/** Comments of shells and of HTML, and strings, in this order. */
const TOKENS = /(^#[^\n]*|<!--.*?-->)|("[^"\n]*")/gm;

/** A listing with highlighted comments and strings; a script shows the copy button when it can copy. */
export function codeBlock({ id, label, code }: CodeExample): Html {
  return html`<figure class="code">
<figcaption><span>${label}</span>${copyButton(id, label)}</figcaption>
<pre tabindex="0" aria-label="${label}"><code id="${id}">${highlighted(code)}</code></pre>
</figure>`;
}

/** A button that copies the text of an element; hidden until a script runs. */
export function copyButton(target: string, label: string): Html {
  return html`<button type="button" class="copy" data-copy="${target}" hidden>Copy<span class="unseen"> ${label}</span></button>`;
}

function highlighted(code: string): Html[] {
  const parts: Html[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS)) {
    parts.push(html`${code.slice(end, match.index)}`);
    parts.push(match[1] === undefined ? html`<span class="string">${match[0]}</span>` : html`<i>${match[0]}</i>`);
    end = match.index + match[0].length;
  }
  return [...parts, html`${code.slice(end)}`];
}

/** A word of a POSIX shell; quoted only if it must be. */
export function quote(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
