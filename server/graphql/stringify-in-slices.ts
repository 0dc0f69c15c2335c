import { forEachInSlices, TimeSlice } from '../../resolvers/scheduling/time-slice.ts';

/** Members within each other down to a list of an answer: `data`, its field, and the `nodes` of that. */
const DEPTH = 3;

/**
 * Writes an answer as Apollo Server does, JSON and a line feed, in slices of time: megabytes of lines of trips would hold
 * other requests. Items of the lists of root fields are written one by one, everything else as a whole.
 */
export async function stringifyInSlices(answer: object): Promise<string> {
  return `${await stringify(answer, DEPTH, new TimeSlice())}\n`;
}

async function stringify(value: unknown, depth: number, slice: TimeSlice): Promise<string> {
  if (Array.isArray(value)) {
    const items: string[] = [];
    await forEachInSlices(slice, value, (item) => items.push(JSON.stringify(item)));
    return `[${items.join(',')}]`;
  }
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${await stringify(member, depth - 1, slice)}`);
  }
  return `{${members.join(',')}}`;
}
