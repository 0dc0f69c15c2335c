import type { Recorder } from '../../models/trips/device-minute.ts';

/** The device whose positions are recorded, in the vehicle that it is in. */
export interface RecordingDevice {
  readonly key: string;
  readonly account_key: string;
  readonly vehicle_key: string;
}

/** A device in a vehicle, for whoever holds the lease of the device. */
export interface LeasedRecorder extends Recorder {
  /**
   * Confirms that the lease is still held. Whatever was written before is then seen by every later holder, who takes over
   * the trips that it concerns: what is changed of these afterwards under this lease is refused.
   *
   * @throws ServiceError SERVICE_UNAVAILABLE where the lease is gone
   */
  confirm(): Promise<void>;
}
