import { html, render, type TemplateResult } from 'lit';

import type { VehiclePose } from '../map/map-canvas.ts';
import { mediaQuery } from '../styles/media-query.ts';
import { RATES, ReplayPlayer } from './replay-player.ts';
import { type ReplayMoment, ReplayTimeline } from './replay-timeline.ts';
import { stringsFor } from '../trips/strings.ts';
import type { Trip } from '../trips/trip.ts';
import type { TripFormat } from '../trips/trip-format.ts';

/** Where a reader's system asks for less motion, the vehicle moves in steps of so many milliseconds. */
const STEP_MS = 1000;

/** The controls that play trips on the map. They draw themselves, since they change with every frame. */
export class TripReplay {
  readonly element: HTMLElement = document.createElement('div');
  readonly #show: (pose: VehiclePose | null, follow: boolean) => void;
  readonly #player = new ReplayPlayer(() => this.#moved());
  readonly #calm = mediaQuery('(prefers-reduced-motion: reduce)');
  readonly #views = new IntersectionObserver((entries) => {
    this.#inView = entries.at(-1)?.isIntersecting ?? false;
    this.#seenChanged();
  });
  #timeline = new ReplayTimeline([]);
  #trips: readonly Trip[] = [];
  #format: TripFormat | null = null;
  #follow = true;
  #inView = true;
  #shownAt = -Infinity;

  /** `show` puts the vehicle on the map. */
  constructor(show: (pose: VehiclePose | null, follow: boolean) => void) {
    this.#show = show;
    this.element.className = 'replay';
    this.element.part.add('replay');
    this.element.setAttribute('role', 'group');
  }

  /** Takes the trips to be played, and the words to say it with; the same trips play on. */
  load(trips: readonly Trip[], format: TripFormat): void {
    this.#format = format;
    this.element.setAttribute('aria-label', stringsFor(format.locale).replay);
    const same = trips.length === this.#trips.length && trips.every((trip, at) => trip === this.#trips[at]);
    if (!same) {
      this.#trips = trips;
      this.#timeline = new ReplayTimeline(trips);
      this.#player.load(this.#timeline.duration);
    }
    this.#moved();
  }

  /** Begins to watch whether it can be seen. */
  connect(): void {
    this.#views.observe(this.element);
    document.addEventListener('visibilitychange', this.#seenChanged);
  }

  /** Stops everything, and forgets the trips. */
  disconnect(): void {
    this.#views.disconnect();
    document.removeEventListener('visibilitychange', this.#seenChanged);
    this.#trips = [];
    this.#timeline = new ReplayTimeline([]);
    this.#player.load(0);
  }

  /** The reader moves the map: it no longer follows. */
  unfollow(): void {
    if (!this.#follow || !this.#player.playing) return;
    this.#follow = false;
    this.#moved();
  }

  readonly #seenChanged = (): void => {
    this.#player.setSeen(this.#inView && !document.hidden);
  };

  #moved(): void {
    const moment = this.#timeline.at(this.#player.seconds);
    const begun = this.#player.playing || this.#player.seconds > 0;
    const now = performance.now();
    if (this.#calm?.matches && this.#player.running && now - this.#shownAt < STEP_MS) return;
    this.#shownAt = now;
    this.#show(begun ? moment : null, this.#follow && this.#player.playing);
    if (this.#format) render(this.#template(moment, this.#format), this.element);
  }

  #template(moment: ReplayMoment | null, format: TripFormat): TemplateResult {
    const strings = stringsFor(format.locale);
    const { playing, seconds, rate } = this.#player;
    const duration = this.#timeline.duration;
    const time = moment ? format.clock(moment.time) : strings.noReplay;
    const state = moment?.state === 'gap' ? strings.gap : moment?.state === 'stopped' ? strings.stopped : null;
    const speed = moment?.speed === null || moment === null ? null : format.speed(moment.speed);
    return html`
      <button type="button" class="round" aria-label=${playing ? strings.pause : strings.play} ?disabled=${duration === 0}
        @click=${() => (playing ? this.#player.pause() : this.#player.play())}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d=${playing ? 'M4 2.5h3v11H4zm5 0h3v11H9z' : 'M4.500 2.2v11.6L13.500 8z'} /></svg>
      </button>
      <input type="range" min="0" max=${duration} step="1" .value=${String(seconds)} ?disabled=${duration === 0}
        aria-label=${strings.moment} aria-valuetext=${[time, state].filter(Boolean).join(', ')}
        @input=${({ target }: InputEvent) => this.#player.seek(Number((target as HTMLInputElement).value))} />
      <output><b>${time}</b><span>${state ?? speed ?? ''}</span></output>
      <button type="button" class="rate" aria-label="${strings.rate}: ${rate}×" ?disabled=${duration === 0}
        @click=${() => this.#player.setRate(RATES[(RATES.indexOf(rate as 1) + 1) % RATES.length] ?? 1)}>${rate}×</button>
      <button type="button" class="round" aria-label=${strings.follow} aria-pressed=${this.#follow}
        @click=${() => this.#toggleFollow()}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1v3m0 8v3M1 8h3m8 0h3" /><circle cx="8" cy="8" r="4" /></svg>
      </button>`;
  }

  #toggleFollow(): void {
    this.#follow = !this.#follow;
    this.#moved();
  }
}
