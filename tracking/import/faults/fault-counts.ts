import type { ImportFaultKind } from './import-fault.ts';

/** Counts of the faults of a trip or a recording, and the line of the first of each kind. */
export class FaultCounts {
  readonly faults = new Map<ImportFaultKind, { count: number; readonly line: number }>();

  report(kind: ImportFaultKind, line: number, count = 1): void {
    const met = this.faults.get(kind);
    if (met) met.count += count;
    else this.faults.set(kind, { count, line });
  }
}
