/** Facts below the map of a share, in the reader's language, units and zone of time. */

const METERS = { kilometer: 1000, mile: 1609.344 };
const { region } = new Intl.Locale(new Intl.NumberFormat().resolvedOptions().locale).maximize();
const unit = ['US', 'GB', 'LR', 'MM'].includes(region) ? 'mile' : 'kilometer';
/** Age of the newest position from which a vehicle is offline, in milliseconds. */
const OFFLINE_MS = 15 * 60_000;
/** Speed below which a vehicle stands, in meters per second. */
const STANDING = 0.5;

const measure = (value, name, digits = 0) =>
  new Intl.NumberFormat([], {
    ...{ style: 'unit', unit: name, minimumFractionDigits: digits, maximumFractionDigits: digits },
  }).format(value);

function durationOf(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return measure(minutes, 'minute');
  const rest = minutes % 60;
  return [measure(Math.floor(minutes / 60), 'hour'), rest > 0 && measure(rest, 'minute')].filter(Boolean).join(' ');
}

/** Shows terms with their values; those without a value are omitted. */
function show(list, facts) {
  const rows = Object.entries(facts).filter(([, value]) => value !== null);
  list.hidden = rows.length === 0;
  list.replaceChildren(
    ...rows.map(([term, value]) => {
      const row = document.createElement('div');
      const [dt, dd] = ['dt', 'dd'].map((name) => document.createElement(name));
      dt.textContent = term;
      dd.textContent = value;
      row.append(dt, dd);
      return row;
    }),
  );
}

/** Shows the date, times, distance and duration of the trip of a map. */
export function tripFacts(map, list) {
  map.addEventListener('trip-render', () => {
    const [trip] = map.trips;
    if (!trip) return show(list, {});
    const { stops, distanceMeters, durationSeconds, timeZone } = trip;
    const [from, until] = [stops[0]?.departure, stops.at(-1)?.arrival].map((text) => text && new Date(text));
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zone = { timeZone: timeZone ?? own };
    const clock = { hour: 'numeric', minute: '2-digit', ...(zone.timeZone !== own && { timeZoneName: 'short' }) };
    const date = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' };
    const day = from && new Intl.DateTimeFormat([], { ...date, ...zone }).format(from);
    const times = from && until && new Intl.DateTimeFormat([], { ...clock, ...zone }).formatRange(from, until);
    show(list, {
      Date: day ?? null,
      Time: times ?? null,
      Distance: distanceMeters === null ? null : measure(distanceMeters / METERS[unit], unit, 1),
      Duration: durationSeconds === null ? null : durationOf(durationSeconds),
    });
  });
}

/** Shows the speed and the state of the vehicle that a map follows, and when it was last seen. */
export function liveFacts(map, list) {
  let newest = null;
  const update = () => {
    if (!newest) return;
    const age = Math.max(0, Date.now() - Date.parse(newest.timestamp));
    const isOffline = age > OFFLINE_MS;
    const drives = newest.speed > STANDING;
    const speed = newest.speed === null || isOffline ? null : (newest.speed * 3600) / METERS[unit];
    show(list, {
      State: isOffline ? 'Offline' : newest.speed === null ? 'Online' : drives ? 'Driving' : 'Standing',
      Speed: speed === null ? null : measure(speed, `${unit}-per-hour`),
      'Last update':
        age < 60_000
          ? `${measure(Math.round(age / 1000), 'second')} ago`
          : new Date(newest.timestamp).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }),
    });
  };
  map.addEventListener('live-position', ({ detail }) => {
    newest = detail;
    update();
  });
  setInterval(update, 1000);
}
