import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Modules that start a process or a browser, which takes seconds. */
const STARTS =
  /from '[^']*\/(?:waybridge-process|browser|element-page|embedding-site|run-campaign|make-world|stalling-proxy)\.ts'/;

/**
 * Runs the slowest files first, so that no worker is left alone with one at the end: by the durations of the last run where
 * they are known. With `--sequence.seed NUMBER` the order is random. Isolated files come last, since they end the shared process of a worker.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const rankOf = (file: TestSpecification) => (seed ? shuffled(file, seed) : this.#seconds(file));
    const ranks = new Map(files.map((file) => [file, rankOf(file)]));
    const rank = (file: TestSpecification) => ranks.get(file) ?? 0;
    return [...files].sort(
      (a, b) => Number(a.project.config.isolate) - Number(b.project.config.isolate) || rank(b) - rank(a),
    );
  }

  /** Seconds that a file took when it ran last, or an estimate from its text. */
  #seconds({ moduleId, project }: TestSpecification): number {
    const known = this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`);
    if (known) return known.duration / 1000;
    return statSync(moduleId).size / 2000 + (STARTS.test(readFileSync(moduleId, 'utf8')) ? 20 : 0);
  }
}

/** A rank that follows from the seed and the file alone. */
function shuffled({ moduleId }: TestSpecification, seed: number): number {
  let hash = seed;
  for (const character of moduleId) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}
