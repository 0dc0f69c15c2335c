/** Meter of the work that one request costs, in positions that are read, and again where they are simplified. */
export interface WorkMeter {
  /**
   * Rejects a caller whose budget is used up.
   *
   * @throws ServiceError TOO_MANY_REQUESTS
   */
  demand(): Promise<void>;
  /**
   * Charges work in advance.
   *
   * @throws ServiceError TOO_MANY_REQUESTS if the budget has been used up meanwhile
   */
  charge(points: number): Promise<void>;
}
