/** Runs one thing at a time: a new run aborts the one before, and only the latest may report. */
export class LatestRun {
  #controller: AbortController | null = null;

  /** Whether the latest run has not ended yet. */
  get running(): boolean {
    return this.#controller !== null;
  }

  /** Starts `work`; exactly one of `done` and `failed` is called, unless the run is superseded or aborted before. */
  start<T>(
    work: (signal: AbortSignal) => Promise<T>,
    done: (result: T) => void,
    failed: (error: unknown) => void,
  ): void {
    this.abort();
    const controller = new AbortController();
    this.#controller = controller;
    const report =
      <R>(listener: (result: R) => void) =>
      (result: R): void => {
        if (this.#controller !== controller) return;
        this.#controller = null;
        listener(result);
      };
    void work(controller.signal).then(report(done), report(failed));
  }

  /** Ends the present run without a report. */
  abort(): void {
    this.#controller?.abort();
    this.#controller = null;
  }
}
