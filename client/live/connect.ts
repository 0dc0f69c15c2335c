import { readEvents } from '../../element/live/read-events.ts';
import { RequestError } from '../service/request-error.ts';
import { errorOf, type Result, resultOf, send, type ServiceAccess } from '../service/service-request.ts';
import { untilAborted } from '../service/until-aborted.ts';
import { POSITION_FIELDS, type VehiclePosition } from './vehicle-position.ts';

/** The newest position of a vehicle; null if the vehicle is no longer among those that are followed. */
export interface Movement {
  readonly vehicle_key: string;
  readonly nickname: string | null;
  readonly vehicle_location: VehiclePosition | null;
}

/** Receives positions. */
export interface MovementListener {
  moved(movement: Movement): void;
  /** Called when positions arrive, first and after each interruption. */
  connected?(): void;
  /** Called when they no longer do; the client connects again by itself. */
  interrupted?(error: RequestError): void;
}

/** The vehicles to follow: all that the caller can see, unless these are named. */
export interface FollowedVehicles {
  readonly vehicleKeys?: readonly string[];
  readonly groupKey?: string;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

const QUERY = `subscription WaybridgeClientLive($vehicle_keys: [String!], $group_key: String) {
  vehicleMoved(vehicle_keys: $vehicle_keys, group_key: $group_key) {
    vehicle_key nickname vehicle_location { ${POSITION_FIELDS} }
  }
}`;

/** Time in which a stream must send something; the service does so every 15 seconds. */
const SILENCE_MS = 40_000;

/**
 * Follows vehicles until `signal` is aborted: the newest position of each, then each later one.
 *
 * @throws RequestError if the service rejects the credentials or the request
 */
export function connect(service: ServiceAccess, listener: MovementListener, vehicles: FollowedVehicles): Promise<void> {
  const { vehicleKeys: vehicle_keys, groupKey: group_key, signal } = vehicles;
  const follow = (worked: () => void) => receive(service, listener, { vehicle_keys, group_key }, signal, worked);
  return untilAborted(follow, signal, (error) => listener.interrupted?.(error));
}

async function receive(
  service: ServiceAccess,
  listener: MovementListener,
  variables: object,
  signal: AbortSignal,
  worked: () => void,
): Promise<void> {
  const watch = new AbortController();
  const restart = () => setTimeout(() => watch.abort(), SILENCE_MS);
  let timer = restart();
  try {
    const both = AbortSignal.any([signal, watch.signal]);
    const response = await send(service, QUERY, variables, both, 'text/event-stream');
    if (!response.ok || !response.body) throw errorOf(await resultOf(response), response) ?? lost();
    listener.connected?.();
    const onBytes = () => {
      worked();
      clearTimeout(timer);
      timer = restart();
    };
    for await (const { event, data } of readEvents(response.body, onBytes)) {
      if (event !== 'next') continue;
      const { data: moved, errors } = JSON.parse(data) as Result<{ readonly vehicleMoved: Movement }>;
      // The next attempt finds out if the credentials are still valid.
      if (errors || !moved) throw lost(errors?.[0]?.message);
      listener.moved(moved.vehicleMoved);
    }
    throw lost();
  } catch (error) {
    throw error instanceof RequestError || signal.aborted ? error : lost(undefined, error);
  } finally {
    clearTimeout(timer);
    watch.abort();
  }
}

function lost(message = 'The stream has ended', cause?: unknown): RequestError {
  return new RequestError(message, { status: 0, cause });
}
