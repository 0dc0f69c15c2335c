import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

import type { Member } from './json-members.ts';
import type { ContentSource } from './read-lists.ts';

/** Characters at which lines end, though JSON has them in strings. */
const LINE_ENDS = /[\u2028\u2029]/g;

/** Keeps the members of a document in a new file, a line for each, so that they can be read more than once. */
export async function keepMembers(members: AsyncIterable<Member>, file: string): Promise<ContentSource> {
  await pipeline(linesOf(members), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  return () => membersIn(file);
}

async function* linesOf(members: AsyncIterable<Member>): AsyncGenerator<string> {
  for await (const member of members) {
    const line = JSON.stringify(member);
    yield `${line.replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16)}`)}\n`;
  }
}

async function* membersIn(file: string): AsyncGenerator<Member> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield JSON.parse(line) as Member;
}
