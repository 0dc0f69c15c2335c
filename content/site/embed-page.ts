import type { Article } from './reading/article.ts';
import { html, raw } from '../../http/answers/html.ts';

import type { SiteFrame } from './reading/site-frame.ts';
import { shortTextHtml, textHtml, PROTECTED_TEXT, titleHtml } from './text/text-html.ts';

/** Maximum excerpt in an embed, in characters. */
const EXCERPT = 300;

/**
 * Writes an article as other sites show it in a frame. Its script reports its height and clicks to
 * the page around it, with the secret in the address. It is not a module, which a sandboxed frame could not load.
 */
export async function embedPage(
  { site, root, title, language }: SiteFrame,
  article: Article,
  nonce: string,
): Promise<string> {
  const excerpt = shortTextHtml(await article.excerpt(), EXCERPT);
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleHtml(article, language)}</title>
<meta name="robots" content="noindex, follow">
<meta name="color-scheme" content="light dark">
<link rel="canonical" href="${article.link}">
${['base', 'embed'].map((name) => html`<link rel="stylesheet" href="${root}site/styles/${name}.css">\n`)}<script nonce="${nonce}" src="${root}site/browser/embed.js" defer></script>
</head>
<body>
<main>
<article class="embed">
${article.image !== null && html`<div class="embed-image">${raw(article.image.element({ sizes: '100vw' }))}</div>\n`}<h1><a href="${article.link}" target="_top">${titleHtml(article, language)}</a></h1>
<p>${article.isLocked ? PROTECTED_TEXT : excerpt}</p>
<p class="source"><a href="${site}/" target="_top">${textHtml(title)}</a></p>
</article>
</main>
</body>
</html>
`;
  return document.text;
}
