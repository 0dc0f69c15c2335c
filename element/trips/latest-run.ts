/** Runs one task at a time: a new run aborts the previous one, and only the latest reports. */
export class LatestRun {
  #controller: AbortController | null = null;

  /** true while the latest run has not ended. */
  get running(): boolean {
    return this.#controller !== null;
  }

  /** Starts `work`; calls either `done` or `failed`, unless the run is superseded or aborted before. */
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

  /** Ends the run without a report. */
  abort(): void {
    this.#controller?.abort();
    this.#controller = null;
  }
}
