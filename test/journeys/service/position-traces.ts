import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mongo } from 'mongoose';

import { unpackTripPoints } from '../../../models/trips/trip-points-codec.ts';

/** Bytes of a piece of a stored value: long enough to be found nowhere else, short enough that a remnant of it has one. */
const PIECE = 12;

/** An area in which no other position lies. */
export interface Area {
  readonly lat: readonly [number, number];
  readonly lon: readonly [number, number];
}

/** Forms in which positions are stored, with the pieces of bytes by which each is found. */
export type Traces = ReadonlyMap<string, readonly Buffer[]>;

/**
 * The traces of positions in the documents of the database that name a vehicle: numbers of an area as doubles and as decimals,
 * and whole binary values and lines, by the collection and path at which they are.
 */
export async function tracesOf(vehicle_key: string, db: mongo.Db, area: Area): Promise<Traces> {
  const traces = new Map<string, Buffer[]>();
  const add = (name: string, pieces: readonly Buffer[]) => traces.set(name, [...(traces.get(name) ?? []), ...pieces]);
  for (const { name } of await db.listCollections().toArray()) {
    const documents = await db.collection(name).find().toArray();
    for (const document of documents.filter((one) => JSON.stringify(one).includes(vehicle_key))) {
      visit(document, name, (path, value) => {
        if (typeof value === 'number' && isIn(area, value)) add(path, [doubleOf(value), Buffer.from(String(value))]);
        if (value instanceof mongo.Binary) add(path, piecesOf(Buffer.from(value.buffer)).filter(isTelling));
        if (typeof value === 'string' && /\.(line|points)$/.test(path)) add(path, piecesOf(Buffer.from(value)));
      });
    }
  }
  return traces;
}

/** Names of the traces of which any piece is in the bytes, and `decoded` if these hold packed positions of the area. */
export function foundIn(bytes: Buffer, traces: Traces, area: Area): Set<string> {
  const found = [...traces].filter(([, pieces]) => pieces.some((piece) => bytes.includes(piece)));
  const names = new Set(found.map(([name]) => name));
  if (hasPacked(bytes, area)) names.add('decoded');
  return names;
}

/** All bytes of the files of a folder. */
export async function bytesOfFolder(folder: string): Promise<Buffer> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return Buffer.concat(await Promise.all(paths.map((path) => readFile(path))));
}

function visit(value: unknown, path: string, report: (path: string, value: unknown) => void): void {
  report(path, value);
  if (Array.isArray(value)) for (const one of value) visit(one, path, report);
  else if (value?.constructor === Object)
    for (const [name, one] of Object.entries(value)) visit(one, `${path}.${name}`, report);
}

function piecesOf(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at + PIECE <= bytes.length; at += PIECE) pieces.push(bytes.subarray(at, at + PIECE));
  return pieces;
}

/** Returns whether bytes are of few others: equal steps of time and speed are the same small numbers in every recording. */
function isTelling(piece: Buffer): boolean {
  return new Set(piece).size > PIECE / 2;
}

function doubleOf(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

function isIn({ lat, lon }: Area, value: number): boolean {
  return [lat, lon].some(([least, most]) => value > least && value < most);
}

/** Returns true if a binary value of BSON at any place is packed positions of the area. */
function hasPacked(bytes: Buffer, area: Area): boolean {
  const { stackTraceLimit } = Error;
  // Most places are none, and the stacks of their errors would take half of the time.
  Error.stackTraceLimit = 0;
  try {
    return findsPacked(bytes, area);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function findsPacked(bytes: Buffer, area: Area): boolean {
  for (let at = bytes.indexOf(0, 4); at >= 0; at = bytes.indexOf(0, at + 1)) {
    const length = bytes.readInt32LE(at - 4);
    if (length > 4 && length < 65_536 && isPacked(bytes.subarray(at + 1, at + 1 + length), area)) return true;
  }
  return false;
}

function isPacked(bytes: Buffer, area: Area): boolean {
  try {
    return unpackTripPoints(bytes).lat.some((lat) => isIn(area, lat));
  } catch {
    return false;
  }
}
