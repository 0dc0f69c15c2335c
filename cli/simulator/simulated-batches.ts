import { type Faults, withFaults } from './faults.ts';
import { type Delivery, recordingsOf, type SimulatedPoint } from './recordings.ts';

/** A simulation. */
export interface Simulation {
  /** Number of vehicles, each with a device. */
  readonly vehicles: number;
  /** Time between two positions of a device, in whole seconds. */
  readonly everySeconds: number;
  /** Seed of all random choices: any text. */
  readonly seed: string;
  readonly faults: Faults;
  /** Start of the simulation, in milliseconds since 1970: whole seconds. */
  readonly start: number;
  /** Time that is simulated, in seconds. */
  readonly forSeconds: number;
  /** Number of devices whose positions are sent together. */
  readonly batch: number;
}

/** Positions that are sent together. */
export interface Batch {
  /** Number of the sender, from 0: its batches are sent one after another. */
  readonly sender: number;
  /** Instant at which it is sent, in milliseconds since 1970. */
  readonly due: number;
  readonly devices: readonly { readonly serial: string; readonly points: readonly SimulatedPoint[] }[];
}

/** The serial of the device in a simulated vehicle, by the vehicle's number, from 1: `SIM-0001`. */
export function simulatedSerial(number: number): string {
  return `SIM-${String(number).padStart(4, '0')}`;
}

/**
 * The batches of a simulation in the order in which they are due; the same for the same simulation. Each sender sends once
 * in each interval, all of them spread over it. Positions that are due after the end are omitted.
 */
export function* simulatedBatches(simulation: Simulation): Generator<Batch> {
  const { vehicles, batch, everySeconds, start, forSeconds } = simulation;
  const senders: DeviceQueue[][] = [];
  for (let first = 1; first <= vehicles; first += batch) {
    const count = Math.min(batch, vehicles - first + 1);
    senders.push(Array.from({ length: count }, (_, at) => new DeviceQueue(first + at, simulation)));
  }
  const everyMs = everySeconds * 1000;
  for (let from = start; from < start + forSeconds * 1000; from += everyMs) {
    for (const [sender, queues] of senders.entries()) {
      const due = from + Math.floor((everyMs * (sender + 1)) / senders.length);
      const devices = queues
        .map((queue) => ({ serial: queue.serial, points: queue.takeUntil(due) }))
        .filter(({ points }) => points.length > 0);
      if (devices.length > 0) yield { sender, due, devices };
    }
  }
}

/** Deliveries that a device has not sent yet. */
class DeviceQueue {
  readonly serial: string;
  readonly #deliveries: Iterator<Delivery>;
  #next: Delivery | undefined;
  #later: Delivery[] = [];

  constructor(number: number, { seed, start, everySeconds, faults }: Simulation) {
    const vehicle = { seed, number, start, everySeconds };
    const recordings = recordingsOf(vehicle);
    this.serial = simulatedSerial(number);
    this.#deliveries = faults === 'none' ? recordings : withFaults(recordings, vehicle);
  }

  /** Removes and returns deliveries that are due until an instant, in order. */
  takeUntil(instant: number): SimulatedPoint[] {
    for (;;) {
      this.#next ??= this.#deliveries.next().value as Delivery;
      // A delivery is never due before its recording, and recordings are in order of time.
      if (Date.parse(this.#next.point.timestamp) > instant) break;
      this.#later.push(this.#next);
      this.#next = undefined;
    }
    const due = this.#later.filter((delivery) => delivery.due <= instant).sort((one, other) => one.due - other.due);
    this.#later = this.#later.filter((delivery) => delivery.due > instant);
    return due.map(({ point }) => point);
  }
}
