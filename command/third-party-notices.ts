import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of files with terms: LICENSE, LICENCE.md, license-mit.txt, NOTICE, COPYING. */
const TERMS = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;
const RULE = `\n\n${'='.repeat(80)}\n\n`;

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
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
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const terms = readdirSync(folder)
    .filter((file) => TERMS.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (terms.length === 0) {
    const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
    terms.push(`Copyright (c) ${holder}`, standardTerms(license));
  }
  return [`${name} ${version}${license === undefined ? '' : ` (${license})`}`, ...terms].join('\n\n');
}

/**
 * Returns the text of a license, for a package that names it and has no file with it.
 *
 * @throws Error for a license whose text is not here
 */
function standardTerms(license = 'none'): string {
  const text = STANDARD_TERMS[license];
  if (text === undefined) throw new Error(`Add the text of the license ${license} to command/third-party-notices.ts`);
  return text;
}

const STANDARD_TERMS: Readonly<Record<string, string>> = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
  'BSD-3-Clause': `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`,
};
