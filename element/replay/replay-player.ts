/** Playback rates, in multiples of real time. */
export const RATES = [1, 2, 5, 10, 20] as const;

/** Maximum time that a frame advances a replay at rate 1, in seconds; a longer frame was delayed. */
const MAX_FRAME = 0.25;

/** The clock of a replay. It runs on animation frames, and only while the replay is playing and visible. */
export class ReplayPlayer {
  /** Seconds since the start of the replay. */
  seconds = 0;
  rate: number = RATES[0];
  playing = false;
  #duration = 0;
  #visible = true;
  #frame: number | null = null;
  #last: number | null = null;

  /** `changed` is called whenever the moment, the rate or the playing state has changed. */
  constructor(private readonly changed: () => void) {}

  /** true while an animation frame is requested. */
  get running(): boolean {
    return this.#frame !== null;
  }

  /** Loads a replay of `duration` seconds, paused at its start. */
  load(duration: number): void {
    this.#duration = duration;
    this.seconds = 0;
    this.pause();
  }

  /** Continues playing; restarts a replay that has ended. */
  play(): void {
    if (this.#duration === 0) return;
    if (this.seconds >= this.#duration) this.seconds = 0;
    this.playing = true;
    this.#run();
    this.changed();
  }

  pause(): void {
    this.playing = false;
    this.#run();
    this.changed();
  }

  /** Moves to `seconds` since the start, playing or paused as before. */
  seek(seconds: number): void {
    this.seconds = Math.min(this.#duration, Math.max(0, seconds));
    this.changed();
  }

  setRate(rate: number): void {
    this.rate = rate;
    this.changed();
  }

  /** Stops the clock while the replay is not visible. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#run();
  }

  #run(): void {
    const due = this.playing && this.#visible;
    if (due === this.running) return;
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#last = null;
    this.#frame = due ? requestAnimationFrame(this.#tick) : null;
  }

  readonly #tick = (now: number): void => {
    const passed = this.#last === null ? 0 : (now - this.#last) / 1000;
    this.#last = now;
    this.seconds = Math.min(this.#duration, this.seconds + Math.min(MAX_FRAME, passed) * this.rate);
    this.#frame = requestAnimationFrame(this.#tick);
    if (this.seconds >= this.#duration) this.pause();
    else this.changed();
  };
}
