import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of files with terms: LICENSE, LICENCE.md, license-mit.txt, NOTICE, COPYING. */
const TERMS = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;
const RULE = `\n\n${'='.repeat(80)}\n\n`;

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

/**
 * Returns the notices of the packages from whose modules something was built: name, version, license, and the terms that
 * the package has, word for word.
 *
 * @param what begins the first sentence: a program, a file
 * @param modules paths of the modules; those of the project count for nothing
 */
export function thirdPartyNotices(what: string, modules: Iterable<string>): string {
  const folders = new Set([...modules].map(packageFolder).filter((folder) => folder !== null));
  const notices = [...folders].map(noticeOf);
  return `${[`${what} contains the following packages.`, ...notices.toSorted()].join(RULE)}\n`;
}

/** Folder of the package that a module belongs to; null for a module of the project. */
function packageFolder(path: string): string | null {
  return /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const terms = readdirSync(folder)
    .filter((file) => TERMS.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}${license === undefined ? '' : ` (${license})`}`, ...terms].join('\n\n');
}
