/** How many times faster than real time a replay may run. */
export const RATES = [1, 2, 5, 10, 20] as const;

/** A frame that took longer than this, in seconds, was held up: the replay goes on from where it was. */
const MAX_FRAME = 0.25;

/** The clock of a replay: runs on animation frames while it plays and can be seen, and on nothing else. */
export class ReplayPlayer {
  readonly #moved: () => void;
  #duration = 0;
  #seconds = 0;
  #rate: number = RATES[0];
  #playing = false;
  #seen = true;
  #frame: number | null = null;
  #last: number | null = null;

  /** `moved` is called whenever the moment changes, or whether it plays. */
  constructor(moved: () => void) {
    this.#moved = moved;
  }

  /** Seconds from the begin of the replay. */
  get seconds(): number {
    return this.#seconds;
  }

  get playing(): boolean {
    return this.#playing;
  }

  get rate(): number {
    return this.#rate;
  }

  /** Whether a frame is awaited. */
  get running(): boolean {
    return this.#frame !== null;
  }

  /** Begins a replay of so many seconds, paused. */
  load(duration: number): void {
    this.#duration = duration;
    this.#seconds = 0;
    this.pause();
  }

  /** Plays on, from the begin again where it had ended. */
  play(): void {
    if (this.#duration === 0) return;
    if (this.#seconds >= this.#duration) this.#seconds = 0;
    this.#playing = true;
    this.#run();
    this.#moved();
  }

  pause(): void {
    this.#playing = false;
    this.#run();
    this.#moved();
  }

  /** Goes to a moment; what plays, plays on from there. */
  seek(seconds: number): void {
    this.#seconds = Math.min(this.#duration, Math.max(0, seconds));
    this.#moved();
  }

  setRate(rate: number): void {
    this.#rate = rate;
    this.#moved();
  }

  /** Says whether the replay can be seen; while it cannot, time stands still. */
  setSeen(seen: boolean): void {
    this.#seen = seen;
    this.#run();
  }

  #run(): void {
    const due = this.#playing && this.#seen;
    if (due === this.running) return;
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#last = null;
    this.#frame = due ? requestAnimationFrame(this.#tick) : null;
  }

  readonly #tick = (now: number): void => {
    const passed = this.#last === null ? 0 : (now - this.#last) / 1000;
    this.#last = now;
    this.#seconds = Math.min(this.#duration, this.#seconds + Math.min(MAX_FRAME, passed) * this.#rate);
    this.#frame = requestAnimationFrame(this.#tick);
    if (this.#seconds >= this.#duration) this.pause();
    else this.#moved();
  };
}
