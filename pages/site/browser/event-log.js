const NAMES = [
  'mount',
  'unmount',
  'map-load',
  'trip-loading',
  'trip-render',
  'api-error',
  'auth-error',
  'error',
  'address-not-found',
  'live-connected',
  'live-position',
  'live-disconnected',
];
const KEPT = 200;
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Writes the events of a `<service-trips-map>` into a table as they occur, newest first. */
export class EventLog {
  #body;

  constructor(body) {
    this.#body = body;
  }

  /** Listens on an element, which need not be defined yet. */
  listen(element) {
    for (const name of NAMES) {
      element.addEventListener(name, (event) => {
        if (event.target === element && 'detail' in event) this.#add(name, summaryOf(event.detail));
      });
    }
  }

  clear() {
    this.#body.replaceChildren();
  }

  #add(name, summary) {
    const row = document.createElement('tr');
    row.dataset.event = name;
    if (name.endsWith('error') || name === 'address-not-found') row.className = 'failure';
    const now = new Date();
    const time = `${TIME.format(now)}.${String(now.getMilliseconds()).padStart(3, '0')}`;
    for (const text of [time, name, summary]) row.insertCell().textContent = text;
    this.#body.prepend(row);
    while (this.#body.rows.length > KEPT) this.#body.lastElementChild.remove();
  }
}

/** Short description of a detail. */
function summaryOf(detail) {
  if (typeof detail === 'boolean') return String(detail);
  if (detail instanceof HTMLImageElement) return 'the image';
  if (detail instanceof Element) return `<${detail.localName}>`;
  if (detail instanceof Error) return `${detail.name}: ${detail.message}`;
  if (typeof detail?.getZoom === 'function') {
    const { lng, lat } = detail.getCenter();
    return `map at ${lat.toFixed(3)}, ${lng.toFixed(3)}, zoom ${detail.getZoom().toFixed(1)}`;
  }
  if (detail?.transport) return `by ${detail.transport}`;
  if (detail?.reason) return `${detail.reason}: ${detail.message}`;
  if (detail?.vehicleKey) return `${detail.latitude.toFixed(5)}, ${detail.longitude.toFixed(5)} at ${detail.timestamp}`;
  if (typeof detail?.message === 'string') return `${detail.message} (${detail.latitude}, ${detail.longitude})`;
  return '';
}
