const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const METERS = { km: 1000, mi: 1609.344 };

/** The trips of a day, of which one can be chosen. */
export class TripList {
  #list;
  #choose;

  /** @param choose is given the key of the trip that the reader picks */
  constructor(list, choose) {
    this.#list = list;
    this.#choose = choose;
  }

  /** Lists trips; the chosen one, if any, is marked. */
  show(trips, chosenKey, units) {
    this.#list.replaceChildren(...trips.map((trip) => this.#item(trip, trip.key === chosenKey, units)));
  }

  /** Gives each trip the colour of its line on the map. */
  paint(colors) {
    for (const button of this.#list.querySelectorAll('button')) {
      const color = colors.get(button.dataset.key);
      if (color) button.style.setProperty('--line-color', color);
    }
  }

  #item(trip, isChosen, units) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.key = trip.key;
    button.setAttribute('aria-pressed', String(isChosen));
    button.append(
      part('time', `${TIME.format(trip.started)} – ${TIME.format(trip.ended)}`),
      part('measures', `${distance(trip.meters, units)} · ${duration(trip.seconds)}`),
    );
    button.addEventListener('click', () => this.#choose(trip.key));
    item.append(button);
    return item;
  }
}

/** A distance in kilometres or miles. */
export function distance(meters, units) {
  const value = meters / METERS[units];
  return `${value.toFixed(value < 100 ? 1 : 0)} ${units}`;
}

/** A duration in hours and minutes. */
export function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

function part(name, text) {
  const span = document.createElement('span');
  span.className = name;
  span.textContent = text;
  return span;
}
