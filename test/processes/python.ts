import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { TestContext } from 'vitest';

/** The interpreter: that of the variable PYTHON, or `python3`. */
const PYTHON = process.env.PYTHON || 'python3';

/** Runs Python, and returns what it prints; skips the test where the interpreter or the module that it needs is absent. */
export async function runPython(context: TestContext, module: string, args: readonly string[], cwd: string) {
  const run = promisify(execFile);
  const isThere = await run(PYTHON, ['-c', `import ${module}`]).then(
    () => true,
    () => false,
  );
  if (!isThere) context.skip(`${PYTHON} has no module ${module}; PYTHON may name an interpreter that has it`);
  return (await run(PYTHON, args, { cwd })).stdout;
}
