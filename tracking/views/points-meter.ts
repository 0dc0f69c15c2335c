import type { WorkMeter } from '../../auth/caller.ts';

/** Charges a request for the positions that it costs. */
export interface PointsMeter {
  /** Charges positions that are about to be processed; rejects if they are too many. */
  charge(count: number): Promise<void>;
  /**
   * Charges cheap positions of many trips together: a charge for each trip would take longer than their
   * paths. An exceeded limit stops the next request for work.
   */
  chargeLater(count: number): void;
}

/** Makes the meter of a request, whose work may not be limited. */
export function pointsMeter(work: WorkMeter | undefined): PointsMeter {
  let due = 0;
  const charge = async (count: number) => work?.charge(count);
  const chargeDue = () => {
    charge(due).catch(() => undefined);
    due = 0;
  };
  return {
    charge,
    chargeLater: (count) => {
      if (due === 0) queueMicrotask(chargeDue);
      due += count;
    },
  };
}
