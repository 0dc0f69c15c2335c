import { forEachInSlices, TimeSlice } from '../../tracking/scheduling/time-slice.ts';
import { JsonText } from './json-text.ts';

/** Depth of a list in a GraphQL answer: `data`, its field, and the `nodes` of that. */
const DEPTH = 3;

/** Maximum number of items of a list that is written without a pause. */
const SHORT_LIST = 50;

/**
 * Writes an answer of JSON values as `JSON.stringify` does, in slices of time: writing megabytes of groups or lines without a
 * pause would delay other requests. Items of long outer lists, and of those with a {@link JsonText}, are written one by one, everything
 * else as a whole.
 */
export async function stringifyInSlices(answer: object): Promise<string> {
  return isWrittenByItems(answer, DEPTH) ? stringify(answer, DEPTH, new TimeSlice()) : JSON.stringify(answer);
}

function isWrittenByItems(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.length > SHORT_LIST || value.some((item) => item instanceof JsonText);
  if (depth === 0 || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => isWrittenByItems(member, depth - 1));
}

async function stringify(value: unknown, depth: number, slice: TimeSlice): Promise<string> {
  if (Array.isArray(value)) {
    const items: string[] = [];
    await forEachInSlices(slice, value, (item) => items.push(JsonText.of(item)));
    return `[${items.join(',')}]`;
  }
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${await stringify(member, depth - 1, slice)}`);
  }
  return `{${members.join(',')}}`;
}
