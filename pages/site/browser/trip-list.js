const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const METERS = { km: 1000, mi: 1609.344 };

/** The trips of a day, of which one can be chosen. */
export class TripList {
  #list;
  #choose;

  /** @param choose is called with the key of the trip that the reader picks */
  constructor(list, choose) {
    this.#list = list;
    this.#choose = choose;
  }

  /** Lists trips; the chosen one, if any, is marked. Remaining items keep their color and the focus. */
  show(trips, chosenKey, units) {
    const keys = trips.map(({ key }) => key);
    if (String(keys) !== String([...this.#buttons()].map(({ dataset }) => dataset.key))) {
      this.#list.replaceChildren(...keys.map((key) => this.#item(key)));
    }
    for (const [index, button] of this.#buttons().entries()) {
      const { key, started, ended, meters, seconds } = trips[index];
      button.setAttribute('aria-pressed', String(key === chosenKey));
      button.children[0].textContent = `${TIME.format(started)} – ${TIME.format(ended)}`;
      button.children[1].textContent = `${distance(meters, units)} · ${duration(seconds)}`;
    }
  }

  /** Gives each trip the color of its line on the map. */
  paint(colors) {
    for (const button of this.#buttons()) {
      const color = colors.get(button.dataset.key);
      if (color) button.style.setProperty('--line-color', color);
    }
  }

  #buttons() {
    return this.#list.querySelectorAll('button');
  }

  #item(key) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.key = key;
    button.append(part('time'), part('measures'));
    button.addEventListener('click', () => this.#choose(key));
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

function part(name) {
  const span = document.createElement('span');
  span.className = name;
  return span;
}
