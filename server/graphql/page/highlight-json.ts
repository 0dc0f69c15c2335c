/** Shows JSON with its names, texts, numbers and words in their colours. It runs in the page, so it stands by itself. */
export function highlightJson(target: HTMLElement, json: string): void {
  const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of json.matchAll(tokens)) {
    const [text, quoted, colon, word] = match;
    const span = document.createElement('span');
    span.className = quoted === undefined ? (word === undefined ? 'number' : 'word') : colon ? 'name' : 'text';
    span.textContent = quoted ?? text;
    parts.push(json.slice(end, match.index), span, colon ?? '');
    end = match.index + text.length;
  }
  target.replaceChildren(...parts, json.slice(end));
}
