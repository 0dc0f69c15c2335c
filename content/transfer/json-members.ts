import { isUtf8 } from 'node:buffer';

import { MAX_JSON_DEPTH } from '../../schema/json-depth.ts';

/** A member of a document: of a long list each element by itself, with its place. */
export interface Member {
  readonly name: string;
  readonly value: unknown;
  /** Place in the list; null for a member that is no such list. */
  readonly at: number | null;
}

/** A file that cannot be read. Its message continues a sentence that begins with the name of the file. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}

const NOT_JSON = ' is not JSON';
const [TAB, LINE, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [...'\t\n\r ",:\\'].map((c) => c.charCodeAt(0));
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [...'[]{}'].map((c) => c.charCodeAt(0));

/** Parts of a document between its values. */
type Place = 'start' | 'key' | 'value' | 'behind' | 'end';

/**
 * Reads the members of a JSON object from its bytes, one after the other, whatever its size.
 *
 * @param lists names of the long lists
 * @throws FileFault for what is not JSON, not UTF-8, or nested too deep
 */
export async function* jsonMembers(chunks: AsyncIterable<Buffer>, lists: ReadonlySet<string>): AsyncGenerator<Member> {
  let place: Place = 'start';
  let name = '';
  let at: number | null = null;
  let depth = 0;
  let line = 1;
  let isInString = false;
  let isEscaped = false;
  let pieces: Buffer[] | null = null;
  for await (const chunk of chunks) {
    let from = 0;
    const taken = (end: number) => {
      const bytes = Buffer.concat([...(pieces ?? []), chunk.subarray(from, end)]);
      pieces = null;
      return parsed(bytes);
    };
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === LINE) line += 1;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        continue;
      }
      if (byte === SPACE || byte === LINE || byte === RETURN || byte === TAB) continue;
      if (pieces !== null) {
        if (byte === QUOTE) isInString = true;
        else if (byte === OPEN || byte === OPEN_LIST) {
          depth += 1;
          if (depth > MAX_JSON_DEPTH - (at === null ? 1 : 2)) throw tooDeep(line);
        } else if (depth > 0) {
          if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1;
        } else if (place === 'key' && byte === COLON) {
          name = String(taken(index));
          place = 'value';
        } else if (place === 'value' && (byte === COMMA || byte === (at === null ? CLOSE : CLOSE_LIST))) {
          yield { name, value: taken(index), at };
          if (at !== null) [at, place] = byte === COMMA ? [at + 1, 'value'] : [null, 'behind'];
          else place = byte === COMMA ? 'key' : 'end';
        }
      } else if (place === 'value' && byte === OPEN_LIST && at === null && lists.has(name)) at = 0;
      else if (place === 'value' && byte === CLOSE_LIST && at === 0) [at, place] = [null, 'behind'];
      else if (place === 'start' && byte === OPEN) place = 'key';
      else if ((place === 'behind' || place === 'key') && byte === CLOSE) place = 'end';
      else if (place === 'behind' && byte === COMMA) place = 'key';
      else if ((place === 'key' && byte === QUOTE) || (place === 'value' && byte !== COMMA)) {
        [pieces, from, isInString] = [[], index, byte === QUOTE];
        depth = byte === OPEN || byte === OPEN_LIST ? 1 : 0;
      } else throw new FileFault(NOT_JSON);
    }
    if (pieces !== null) pieces.push(chunk.subarray(from));
  }
  if (place !== 'end') throw new FileFault(NOT_JSON);
}

function parsed(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new FileFault(' is not UTF-8');
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new FileFault(NOT_JSON, { cause: error });
  }
}

function tooDeep(line: number): FileFault {
  return new FileFault(`:${line}: arrays and objects are nested more than ${MAX_JSON_DEPTH} deep`);
}

/** The members of a document that is in memory. */
export async function* membersOf(json: unknown, lists: ReadonlySet<string>): AsyncGenerator<Member> {
  for (const [name, value] of Object.entries(Object(json))) {
    if (!lists.has(name) || !Array.isArray(value)) yield { name, value, at: null };
    else for (const [at, element] of value.entries()) yield { name, value: element, at };
  }
}
