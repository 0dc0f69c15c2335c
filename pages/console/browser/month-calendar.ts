import { html, type TemplateResult } from 'lit';

import { monthName, weekdayNames } from './format.ts';
import { t } from './texts.ts';

/** A day of the reader's time zone, written `YYYY-MM-DD`. */
export type Day = string;

/** Days of a month with the number of trips on each. */
export interface MonthView {
  /** The chosen day, which is in the month. */
  readonly day: Day;
  readonly counts: ReadonlyMap<Day, number>;
  readonly choose: (day: Day) => unknown;
}

/** Returns the day of a time. */
export function dayOf(time: string | Date): Day {
  const date = new Date(time);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The start of a day, and that of the day after a number of days. */
export function startOf(day: Day, days = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + days);
}

/** Draws a month with a button for each day, and buttons to the months beside it. */
export function monthCalendar({ day, counts, choose }: MonthView): TemplateResult {
  const chosen = startOf(day);
  const [year, month] = [chosen.getFullYear(), chosen.getMonth()];
  const days = Array.from({ length: new Date(year, month + 1, 0).getDate() }, (_, at) => at + 1);
  const today = dayOf(new Date());
  const before = dayOf(new Date(year, month, 0));
  const after = dayOf(new Date(year, month + 1, 1));
  // Monday is the first day of a week.
  const offset = (new Date(year, month, 1).getDay() + 6) % 7;
  return html`<div class="calendar" role="group" aria-label=${t.vehicle.calendar}>
    <div class="calendar-head">
      <button class="icon-button" type="button" aria-label=${t.vehicle.monthBefore} @click=${() => choose(before)}>‹</button>
      <strong aria-live="polite">${monthName(chosen)}</strong>
      <button class="icon-button" type="button" aria-label=${t.vehicle.monthAfter} @click=${() => choose(after)}>›</button>
    </div>
    <div class="calendar-days">
      ${weekdayNames().map((name) => html`<span class="weekday" aria-hidden="true">${name}</span>`)}
      ${Array.from({ length: offset }, () => html`<span></span>`)}
      ${days.map((date) => {
        const key = dayOf(new Date(year, month, date));
        const count = counts.get(key) ?? 0;
        const classes = [count > 0 && 'driven', key === today && 'today'].filter(Boolean).join(' ');
        return html`<button type="button" class=${classes} aria-pressed=${String(key === day)}
          aria-label="${date}. ${t.vehicle.trips(count)}" @click=${() => choose(key)}>${date}</button>`;
      })}
    </div>
  </div>`;
}
