import { findTooDeep, MAX_JSON_DEPTH } from '../../../schema/json-depth.ts';

import { ImportFailure } from '../rows/import-failure.ts';
import { JoinedFile } from '../rows/joined-file.ts';
import { pathGetter, pathGetters } from '../rows/path-getter.ts';
import type { ReadOptions } from '../rows/read-options.ts';
import { readText } from '../rows/read-text.ts';
import { RowReader } from '../rows/row-reader.ts';
import type { FileItem } from '../rows/stream-position.ts';

/** Characters of a line; more than anybody writes, less than memory. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024;
const TOO_DEEP = `arrays and objects are nested more than ${MAX_JSON_DEPTH} deep; write one object a line, as flat as a row`;

/**
 * Reads a file of JSON objects, one a line: positions, or whole trips where `coordinates` is mapped. Empty lines are left
 * out.
 *
 * @see https://github.com/ndjson/ndjson-spec
 * @throws ImportFailure naming the line that is no object
 */
export async function* readNdjson(
  file: string,
  options: ReadOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<FileItem[]> {
  const reader = await rowReader(options);
  let rest = '';
  let line = 0;
  for await (const piece of readText(file, onBytes)) {
    if (rest.length > MAX_LINE_LENGTH)
      throw new ImportFailure(file, { line: line + 1, column: 1 }, 'the line is too long');
    if (!piece.includes('\n')) {
      rest += piece;
      continue;
    }
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    const items: FileItem[] = [];
    for (const text of lines) {
      line++;
      if (!isBlank(text)) items.push(reader.read(objectOf(text, file, line), line));
    }
    yield items;
  }
  if (!isBlank(rest)) yield [reader.read(objectOf(rest, file, line + 1), line + 1)];
}

async function rowReader(options: ReadOptions): Promise<RowReader<object>> {
  if (!options.join) return new RowReader(pathGetters(options), options);
  const joined = await JoinedFile.read(options.join, options.columns ?? {});
  const onOf = pathGetter(options.join.on);
  return new RowReader({ ...pathGetters(options), ...joined.getters(onOf) }, options, (row) => joined.has(onOf(row)));
}

function isBlank(text: string): boolean {
  return text === '' || text.trim() === '';
}

function objectOf(text: string, file: string, line: number): object {
  const tooDeep = findTooDeep(text);
  if (tooDeep !== null) throw new ImportFailure(file, { line, column: tooDeep + 1 }, TOO_DEEP);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Said below: what V8 says of broken JSON quotes the whole line.
  }
  throw new ImportFailure(file, { line, column: 1 }, 'the line is no JSON object');
}
