/** Playback rates that a reader may choose, in multiples of the pace of a replay. */
export const RATES = [1, 2, 4, 0.25, 0.5] as const;

/** Maximum time of a frame, in seconds; a longer one was delayed. */
const MAX_FRAME = 0.25;

/** The clock of a replay. It runs on animation frames, and only while the replay is playing and visible. */
export class ReplayPlayer {
  /** Seconds since the start of the replay. */
  seconds = 0;
  rate: number = RATES[0];
  playing = false;
  #duration = 0;
  #pace = 1;
  #visible = true;
  #frame: number | null = null;
  #last: number | null = null;

  /** `changed` is called whenever the moment, the rate or the playing state has changed. */
  constructor(private readonly changed: () => void) {}

  /** true while an animation frame is requested. */
  get running(): boolean {
    return this.#frame !== null;
  }

  /** Loads a replay of `duration` seconds, paused at its start, of which `pace` seconds are played in a second at rate 1. */
  load(duration: number, pace: number): void {
    this.#duration = duration;
    this.#pace = pace;
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
    this.seconds = Math.min(this.#duration, this.seconds + Math.min(MAX_FRAME, passed) * this.rate * this.#pace);
    this.#frame = requestAnimationFrame(this.#tick);
    if (this.seconds >= this.#duration) this.pause();
    else this.changed();
  };
}
