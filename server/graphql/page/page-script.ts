import { draftOperation } from './draft-operation.ts';
import { highlightJson } from './highlight-json.ts';
import { INTROSPECTION } from './introspection.ts';
import { runConsole } from './run-console.ts';
import { showDocumentation } from './show-documentation.ts';

const PAGE_FUNCTIONS = { draft: draftOperation, highlight: highlightJson, showSchema: showDocumentation };

/**
 * The page's script: the text of functions that are checked and tested like all others, and called in the browser. So the
 * page needs no bundler, and no file beside the server's own.
 */
export const PAGE_SCRIPT = `(${runConsole})({ ${Object.entries(PAGE_FUNCTIONS)
  .map(([name, body]) => `${name}: ${body}`)
  .join(', ')} }, ${JSON.stringify(INTROSPECTION)});`;
