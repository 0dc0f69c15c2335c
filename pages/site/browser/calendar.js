import { monthOf, weeksOf } from './days.js';

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });
const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** A month with the days marked that have trips; only those can be chosen, and only their months are shown. */
export class Calendar {
  #root;
  #choose;
  #counts = new Map();
  #month = null;
  #day = null;

  /** @param choose is called with the day that the reader picks */
  constructor(root, choose) {
    this.#root = root;
    this.#choose = choose;
  }

  /** Shows how many trips each day has, at the month of the chosen day. */
  show(counts, day) {
    this.#counts = counts;
    this.#day = day;
    this.#month = day === null ? null : monthOf(day);
    this.#render();
  }

  #render() {
    if (this.#month === null) {
      this.#root.replaceChildren();
      return;
    }
    this.#root.replaceChildren(this.#head(), this.#table());
  }

  #head() {
    const months = [...new Set([...this.#counts.keys()].map(monthOf))].sort();
    const at = months.indexOf(this.#month);
    const head = document.createElement('div');
    head.className = 'calendar-head';
    const title = document.createElement('p');
    title.textContent = MONTH.format(new Date(`${this.#month}-01T12:00:00`));
    head.append(
      this.#turn('Earlier month', '‹', months[at - 1]),
      title,
      this.#turn('Later month', '›', months[at + 1]),
    );
    return head;
  }

  #turn(label, sign, month) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = sign;
    button.setAttribute('aria-label', label);
    button.disabled = month === undefined;
    button.addEventListener('click', () => {
      this.#month = month;
      this.#render();
      this.#root.querySelector(`[aria-label="${label}"]:enabled, .calendar-head button:enabled`)?.focus();
    });
    return button;
  }

  #table() {
    const table = document.createElement('table');
    const names = table.createTHead().insertRow();
    for (const weekday of WEEKDAYS) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = weekday;
      names.append(cell);
    }
    const body = table.createTBody();
    for (const week of weeksOf(this.#month)) {
      const row = body.insertRow();
      for (const day of week) row.insertCell().append(day === null ? '' : this.#cell(day));
    }
    return table;
  }

  #cell(day) {
    const count = this.#counts.get(day);
    const date = String(Number(day.slice(8)));
    if (count === undefined) return date;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = date;
    button.setAttribute(
      'aria-label',
      `${DAY.format(new Date(`${day}T12:00:00`))}, ${count} ${count === 1 ? 'trip' : 'trips'}`,
    );
    if (day === this.#day) button.setAttribute('aria-current', 'date');
    button.addEventListener('click', () => {
      this.#day = day;
      this.#render();
      this.#root.querySelector('[aria-current]').focus();
      this.#choose(day);
    });
    return button;
  }
}
