/** A time of an answer counts as one of the run if it is within these milliseconds of now. */
const RUN_MS = 2 * 24 * 3600 * 1000;

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;

/** True for the text of a time that comes from when a request was sent. */
export function isVolatileTime(value: string): boolean {
  return TIME.test(value) && Math.abs(Date.parse(`${value.slice(0, 19)}Z`) - Date.now()) < RUN_MS;
}

/** Replaces what differs between two sites that do the same: secrets, addresses of today, hosts of avatars. */
export function maskText(text: string): string {
  return text
    .replace(/(data-secret=\\?"|#\?secret=)[A-Za-z0-9]+/g, '$1SECRET')
    .replace(/\/20\d\d\/\d\d\/\d\d\//g, (day) =>
      isVolatileTime(`${day.slice(1, -1).replaceAll('/', '-')}T00:00:00`) ? '/TODAY/' : day,
    )
    .replace(/https?:\/\/(\d|secure)\.gravatar\.com/g, 'GRAVATAR');
}
