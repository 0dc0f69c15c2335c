/**
 * Calendar days of the reader, written `YYYY-MM-DD`.
 *
 * @module
 */

/** The day of a point in time in the reader's time zone. */
export function dayOf(moment) {
  const date = new Date(moment);
  return written(date.getFullYear(), date.getMonth(), date.getDate());
}

/** Midnight at which a day begins, in the form of the component's `started-after`: with the offset of the reader's zone. */
export function startOfDay(day) {
  const [year, month, date] = day.split('-').map(Number);
  const minutes = -new Date(year, month - 1, date).getTimezoneOffset();
  const offset = Math.abs(minutes);
  const sign = minutes < 0 ? '-' : '+';
  return `${day}T00:00:00${sign}${two(Math.floor(offset / 60))}:${two(offset % 60)}`;
}

function written(year, monthIndex, date) {
  return `${String(year).padStart(4, '0')}-${two(monthIndex + 1)}-${two(date)}`;
}

function two(number) {
  return String(number).padStart(2, '0');
}
