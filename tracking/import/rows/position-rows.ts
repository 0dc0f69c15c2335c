import type { SpillFile, SpilledRows } from './spill-file.ts';

/** Numbers of a row: time, latitude, longitude, speed, heading, line of the file, events, odometer, fuel level, ignition. */
export const ROW_LENGTH = 10;

const FIRST_CAPACITY = 16;

/** Positions of a trip while it is read, 80 bytes each; spilled to a file so that thousands of trips can be open. */
export class PositionRows {
  #held = new Float64Array(0);
  #heldRows = 0;
  #spilledRows = 0;
  #file: SpillFile | null = null;
  #spilled: SpilledRows[] = [];

  get length(): number {
    return this.#spilledRows + this.#heldRows;
  }

  get held(): number {
    return this.#heldRows;
  }

  /** Adds a row, whose numbers are in the order of {@link ROW_LENGTH}. */
  push(
    time: number,
    lat: number,
    lon: number,
    speed: number,
    heading: number,
    line: number,
    events: number,
    odometer: number,
    fuelLevel: number,
    ignition: number,
  ): void {
    let at = this.#heldRows * ROW_LENGTH;
    if (at === this.#held.length) this.#grow();
    const rows = this.#held;
    rows[at++] = time;
    rows[at++] = lat;
    rows[at++] = lon;
    rows[at++] = speed;
    rows[at++] = heading;
    rows[at++] = line;
    rows[at++] = events;
    rows[at++] = odometer;
    rows[at++] = fuelLevel;
    rows[at] = ignition;
    this.#heldRows++;
  }

  /** Adds rows, one after the other. */
  append(rows: Float64Array): void {
    const held = new Float64Array((this.#heldRows * ROW_LENGTH + rows.length) * 2);
    held.set(this.#held.subarray(0, this.#heldRows * ROW_LENGTH));
    held.set(rows, this.#heldRows * ROW_LENGTH);
    this.#held = held;
    this.#heldRows += rows.length / ROW_LENGTH;
  }

  /** Appends the rows in memory to a file, always the same one. */
  spill(file: SpillFile): void {
    if (this.#heldRows === 0) return;
    this.#file = file;
    this.#spilled.push(file.write(this.#held.subarray(0, this.#heldRows * ROW_LENGTH)));
    this.#spilledRows += this.#heldRows;
    this.#heldRows = 0;
    this.#held = new Float64Array(0);
  }

  /** All rows one after the other, in the order in which they were pushed. */
  all(): Float64Array {
    const held = this.#held.subarray(0, this.#heldRows * ROW_LENGTH);
    if (!this.#file) return held;
    const all = new Float64Array(this.length * ROW_LENGTH);
    let at = 0;
    for (const place of this.#spilled) {
      this.#file.read(place, all.subarray(at, at + place.length));
      at += place.length;
    }
    all.set(held, at);
    return all;
  }

  #grow(): void {
    const larger = new Float64Array(Math.max(FIRST_CAPACITY * ROW_LENGTH, this.#held.length * 2));
    larger.set(this.#held);
    this.#held = larger;
  }
}
