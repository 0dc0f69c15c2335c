/** Meter of the work that one request costs, in positions that are read, and again where they are simplified. */
export interface WorkMeter {
  /**
   * Refuses a caller whose budget is used up.
   *
   * @throws ServiceError TOO_MANY_REQUESTS
   */
  demand(): Promise<void>;
  /**
   * Charges work before it is done, and stops where other requests of the caller have used up its budget meanwhile.
   *
   * @throws ServiceError TOO_MANY_REQUESTS
   */
  charge(points: number): Promise<void>;
}
