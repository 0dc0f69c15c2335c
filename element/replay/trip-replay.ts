import { html, nothing, render, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { mediaQuery } from '../styles/media-query.ts';
import { RATES, ReplayPlayer } from './replay-player.ts';
import { type ReplayMoment, ReplayTimeline } from './replay-timeline.ts';
import { stringsFor } from '../trips/strings.ts';
import type { TripMoment } from '../trips/moment-near.ts';
import type { Following } from '../engine/map-canvas.ts';
import type { Trip } from '../trips/trip.ts';
import type { TripFormat } from '../trips/trip-format.ts';

/** Parts of a replay that the profile tells apart. */
export const PROFILE_PARTS = 300;

/** Returns the outline of the speeds of equal parts as the data of a path; empty if none is known. */
function profileOutline(speeds: readonly (number | null)[]): string {
  const highest = Math.max(1, ...speeds.map((speed) => speed ?? 0));
  const bars = speeds.map((speed, at) => {
    const top = (100 - (90 * (speed ?? 0)) / highest).toFixed(1);
    return speed === null ? '' : `M${at} 100V${top}H${at + 1}V100z`;
  });
  return bars.join('');
}

/** Renders an outline as an area, as large as its container, with a mark at a part of it from 0 to 1. */
function speedProfile(outline: string, marked: number): SVGTemplateResult {
  const at = (marked * PROFILE_PARTS).toFixed(2);
  return svg`<svg class="profile" viewBox="0 0 ${PROFILE_PARTS} 100" preserveAspectRatio="none" aria-hidden="true">
    <path d=${outline} /><line x1=${at} x2=${at} y2="100" vector-effect="non-scaling-stroke" /></svg>`;
}

/** Interval at which the vehicle moves if the reader's system asks for reduced motion, in milliseconds. */
const STEP_MS = 1000;

/** The controls that replay trips on the map. They render themselves, since they change with every frame. */
export class TripReplay {
  readonly element: HTMLElement = document.createElement('div');
  readonly #player: Readonly<ReplayPlayer> = new ReplayPlayer(() => this.#update());
  readonly #reducedMotion = mediaQuery('(prefers-reduced-motion: reduce)');
  /** null in a page that lacks what a map needs. */
  readonly #views =
    typeof IntersectionObserver === 'function'
      ? new IntersectionObserver((entries) => {
          this.#inView = entries.at(-1)?.isIntersecting ?? false;
          this.#visibilityChanged();
        })
      : null;
  #timeline = new ReplayTimeline([]);
  #trips: readonly Trip[] = [];
  #format: TripFormat | null = null;
  /** Outline of the speeds over the replay; empty if none is known. */
  #profile = '';
  /** The moment that the reader points at, in seconds since the start; null if none. */
  #pointed: number | null = null;
  /** true if the trips are of several days. */
  #hasDays = false;
  #follow = true;
  #inView = true;
  #shownAt = -Infinity;
  /** Second of the replay that is shown. */
  #shownSeconds = 0;

  /** `show` shows on the map the vehicle at a moment, and at the moment under the pointer: see {@link MapCanvas.showVehicle}. */
  constructor(
    private readonly show: (moment: ReplayMoment | null, follow: Following, pointed: ReplayMoment | null) => void,
  ) {
    this.element.className = 'replay';
    this.element.part.add('replay');
    this.element.setAttribute('role', 'group');
  }

  /** Loads trips and the format of their times; if they are the same trips, the replay continues. */
  load(trips: readonly Trip[], format: TripFormat): void {
    this.#format = format;
    this.element.setAttribute('aria-label', stringsFor(format.locale).replay);
    const same = trips.length === this.#trips.length && trips.every((trip, at) => trip === this.#trips[at]);
    if (!same) {
      this.#trips = trips;
      this.#timeline = new ReplayTimeline(trips);
      this.#profile = profileOutline(this.#timeline.speedsIn(PROFILE_PARTS));
      this.#pointed = null;
      this.#player.load(this.#timeline.duration, this.#timeline.pace);
    }
    const ends = [this.#timeline.at(0), this.#timeline.at(this.#timeline.duration)];
    this.#hasDays = new Set(ends.map((end) => end && format.day(end.time, end.timeZone))).size > 1;
    this.#update();
  }

  /** Marks a moment of a trip whose line is at the pointer; null when the pointer leaves it. */
  point(moment: TripMoment | null): void {
    this.#point(moment && this.#timeline.playedAt(moment.tripKey, moment.time));
  }

  /** Starts to observe whether the controls are visible. */
  connect(): void {
    this.#views?.observe(this.element);
    document.addEventListener('visibilitychange', this.#visibilityChanged);
  }

  /** Stops the replay and discards the trips. */
  disconnect(): void {
    this.#views?.disconnect();
    document.removeEventListener('visibilitychange', this.#visibilityChanged);
    this.#trips = [];
    this.#timeline = new ReplayTimeline([]);
    this.#player.load(0, 1);
  }

  /** Stops following the vehicle, because the reader has moved the map. */
  unfollow(): void {
    if (!this.#follow || !this.#player.playing) return;
    this.#follow = false;
    this.#update();
  }

  readonly #visibilityChanged = (): void => {
    this.#player.setVisible(this.#inView && !document.hidden);
  };

  #point(played: number | null): void {
    if (this.#pointed === played) return;
    this.#pointed = played;
    this.#shownAt = -Infinity;
    this.#update();
  }

  /** Second of the replay at which the pointer is. */
  #secondAt({ clientX, currentTarget }: PointerEvent): number {
    const { left, right } = (currentTarget as Element).getBoundingClientRect();
    const isMirrored = getComputedStyle(this.element).direction === 'rtl';
    const part = (isMirrored ? right - clientX : clientX - left) / Math.max(1, right - left);
    return Math.max(0, Math.min(1, part)) * this.#timeline.duration;
  }

  #update(): void {
    const moment = this.#timeline.at(this.#player.seconds);
    const pointed = this.#pointed === null ? null : this.#timeline.at(this.#pointed);
    const begun = this.#player.playing || this.#player.seconds > 0;
    const now = performance.now();
    if (this.#reducedMotion?.matches && this.#player.running && now - this.#shownAt < STEP_MS) return;
    this.#shownAt = now;
    const { playing, seconds } = this.#player;
    // A map that is paused stays as it is, unless the replay is moved to where it does not show.
    const following = playing ? 'center' : seconds !== this.#shownSeconds ? 'inside' : null;
    this.#shownSeconds = seconds;
    this.show(begun ? moment : null, this.#follow ? following : null, playing ? null : pointed);
    if (this.#format) render(this.#template(pointed ?? moment, this.#format), this.element);
  }

  #template(moment: ReplayMoment | null, format: TripFormat): TemplateResult {
    const strings = stringsFor(format.locale);
    const { playing, seconds, rate } = this.#player;
    const duration = this.#timeline.duration;
    const isLoading = this.#trips.length === 0;
    const time = moment ? format.clock(moment.time, moment.timeZone) : isLoading ? '' : strings.noReplay;
    const state = moment?.state === 'gap' ? strings.gap : moment?.state === 'stopped' ? strings.stopped : null;
    const speed = moment?.speed === null || moment === null ? null : format.speed(moment.speed);
    const day = moment && this.#hasDays ? format.day(moment.time, moment.timeZone) : null;
    return html`
      <button type="button" class="round" aria-label=${playing ? strings.pause : strings.play} ?disabled=${duration === 0}
        @click=${() => (playing ? this.#player.pause() : this.#player.play())}>
        <svg viewBox="0 0 16 16" width="16" fill="currentColor" aria-hidden="true"><path d=${playing ? 'M4 2.5h3v11H4zm5 0h3v11H9z' : 'M4.500 2.2v11.6L13.500 8z'} /></svg>
      </button>
      <div class="track">
        ${this.#profile === '' && !isLoading ? nothing : this.#speeds()}
        <input type="range" min="0" max=${duration} step="1" .value=${String(seconds)} ?disabled=${duration === 0}
          aria-label=${strings.moment} aria-valuetext=${[day, time, state].filter(Boolean).join(', ')}
          @input=${({ target }: InputEvent) => this.#player.seek(Number((target as HTMLInputElement).value))} />
      </div>
      <output><b><bdi>${time}</bdi></b><span><bdi>${[day, state ?? speed].filter(Boolean).join(' · ')}</bdi></span></output>
      <button type="button" class="rate" aria-label="${strings.rate}: ${rate}×" ?disabled=${duration === 0}
        @click=${() => this.#player.setRate(RATES[(RATES.indexOf(rate as 1) + 1) % RATES.length] ?? 1)}><bdi>${rate}×</bdi></button>
      <button type="button" class="round" aria-label=${strings.follow} aria-pressed=${this.#follow}
        @click=${() => {
          this.#follow = !this.#follow;
          this.#update();
        }}>
        <svg viewBox="0 0 16 16" width="16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true"><path d="M8 1v3m0 8v3M1 8h3m8 0h3" /><circle cx="8" cy="8" r="4" /></svg>
      </button>`;
  }

  /** Shows the moment at the pointer and, while this is pressed, moves the replay there. */
  #trace(event: PointerEvent): void {
    const second = this.#secondAt(event);
    if (event.buttons === 1) this.#player.seek(second);
    this.#point(second);
  }

  /** Renders the profile, on which a pointer shows a moment, and a press or a stroke moves the replay there. */
  #speeds(): TemplateResult {
    const marked = (this.#pointed ?? this.#player.seconds) / Math.max(1, this.#timeline.duration);
    return html`<div class="speeds" part="speeds"
      @pointermove=${(event: PointerEvent) => this.#trace(event)}
      @pointerleave=${() => this.#point(null)}
      @pointerdown=${(event: PointerEvent) => {
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        this.#trace(event);
      }}>
      ${speedProfile(this.#profile, marked)}</div>`;
  }
}
