import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

const FIRST_QUERY = `# Choose a field under Schema, or edit this operation.
query {
  __schema {
    queryType {
      fields {
        name
      }
    }
  }
}
`;

/**
 * Writes the page for trying out queries, which loads nothing else.
 *
 * @param nonce lets its script and style run
 */
export function graphqlPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybridge GraphQL</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>Waybridge GraphQL</h1>
<p>Shown to browsers on this machine only</p>
</header>
<main>
<form id="form" class="panel">
<div class="bar">
<label for="query">Operation</label>
<kbd>Ctrl Enter</kbd>
<button type="submit">Run</button>
</div>
<textarea id="query" spellcheck="false" autocapitalize="off" autocomplete="off" autofocus>${FIRST_QUERY}</textarea>
<div class="inputs">
<div>
<label class="small" for="variables">Variables <span>as JSON</span></label>
<textarea id="variables" spellcheck="false" autocomplete="off" placeholder="{ }"></textarea>
</div>
<div>
<label class="small" for="headers">Headers <span>one a line</span></label>
<textarea id="headers" spellcheck="false" autocapitalize="off" autocomplete="off" placeholder="Service-Api-Key: …"></textarea>
</div>
</div>
</form>
<section class="panel" aria-labelledby="result-title">
<div class="bar">
<h2 id="result-title">Result</h2>
<span id="status" role="status"></span>
</div>
<pre id="result" tabindex="0" aria-labelledby="result-title"></pre>
</section>
<section class="panel" aria-labelledby="schema-title">
<div class="bar"><h2 id="schema-title">Schema</h2></div>
<div id="documentation">Reading the schema …</div>
</section>
</main>
<script nonce="${nonce}">${PAGE_SCRIPT}</script>
</body>
</html>
`;
}
