import type { ProcessMetrics } from '../../../http/observing/metrics.ts';

/** Facts that a worker cannot find in its settings. */
export interface WorkerInput {
  /** Number from 1, as in its log lines. */
  readonly number: number;
  /** Address of the embedded database in the primary process; null if the settings name another. */
  readonly database: string | null;
  readonly hasDemo: boolean;
  readonly isDemoDriven: boolean;
}

/** Message of the primary process to a worker. */
export type PrimaryMessage =
  | { readonly kind: 'listen' | 'renew-certificate' | 'stop' }
  /** Asks for the metrics of the worker. */
  | { readonly kind: 'measure'; readonly id: number }
  /** Answers `gather`. */
  | { readonly kind: 'gathered'; readonly id: number; readonly text: string };

/** Message of a worker to the primary process. */
export type WorkerMessage =
  /** The worker can listen, or is listening. */
  | { readonly kind: 'prepared' | 'serving' }
  | { readonly kind: 'failed'; readonly message: string; readonly isPortInUse: boolean }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: ProcessMetrics }
  /** Asks for the metrics of all processes. */
  | { readonly kind: 'gather'; readonly id: number };

/** Variable in which a worker finds its input. */
export const WORKER_VARIABLE = 'WAYBRIDGE_WORKER';
