/**
 * Steps the clock of a process and its threads, loaded by `node --import`: what it shows is off by the milliseconds in the file of
 * CLOCK_OFFSET_FILE, which is read again and again. Timers and `performance.now()` go on, as on a machine whose clock is set.
 */
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 10;

const RealDate = Date;
const now = Date.now.bind(Date);
let offset = 0;

function look() {
  offset = Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8'));
}

look();
setInterval(look, LOOK_EVERY_MS).unref();
RealDate.now = () => now() + offset;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [RealDate.now()] : values, made === Date ? target : made),
  apply: () => new Date().toString(),
});
