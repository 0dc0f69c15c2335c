import type { Forwarder } from '../../auth/caller.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { isSending, SENDING_FIELDS, type SendingDevice } from '../../models/vehicles/device-tail.ts';
import { foldSerial } from '../../models/vehicles/serial-grams.ts';
import { mapInBatches } from '../../tracking/scheduling/map-in-batches.ts';
import { RejectedMessage } from '../../tracking/ingest/json-reader.ts';
import type { Sender } from '../../tracking/ingest/received.ts';
import { type DeviceReports, isInVehicle } from '../../tracking/ingest/record-sent.ts';
import type { NamedDevice, SentBySerial } from '../../tracking/ingest/read-batch.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import type { Service } from '../../models/store/service.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { MAX_NAME_LENGTH, nameFault } from '../../schema/check-name.ts';
import { createDevice } from '../devices/write-device.ts';
import { createVehicle } from '../vehicles/write-vehicle.ts';

/**
 * The devices that a message names, in their order, of those for which a sender may send; null for each that there is not.
 * A null serial is a device's own. At most one query, unless the sender makes devices and one is unknown.
 */
export async function findDevices(
  service: Service,
  sender: Sender,
  named: readonly NamedDevice[],
): Promise<(SendingDevice | null)[]> {
  const folded = named.map(({ serial }) => (serial === null ? null : foldSerial(serial)));
  if (sender.kind === 'device') {
    const { device } = sender;
    return folded.map((serial) => (serial === null || serial === device.serial_folded ? device : null));
  }
  let found = await devicesBySerial(service, sender, folded);
  const isUnknown = (serial: string | null, at: number) => !found.has(serial ?? '') && folded.indexOf(serial) === at;
  const unknown = sender.creates_devices ? named.filter((_, at) => isUnknown(folded[at] ?? null, at)) : [];
  if (unknown.length > 0) {
    await mapInBatches(unknown, (one) => createUnknown(service, sender, one));
    found = await devicesBySerial(service, sender, folded);
  }
  return folded.map((serial) => found.get(serial ?? '') ?? null);
}

async function devicesBySerial(service: Service, { account_key }: Forwarder, folded: readonly (string | null)[]) {
  const those = { serial_folded: { $in: folded.filter((serial) => serial !== null) } };
  const accessScope = accountAccessScope(service, account_key);
  const found = (await DeviceStore.find(accessScope, those, SENDING_FIELDS)) as SendingDevice[];
  return new Map(found.filter(isSending).map((device) => [device.serial_folded, device]));
}

/**
 * Finds the device of positions.
 *
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST if it is not assigned to a vehicle
 */
export async function sentBy(
  service: Service,
  sender: Sender,
  { reports, ...named }: SentBySerial,
): Promise<DeviceReports> {
  const [device] = await findDevices(service, sender, [named]);
  if (!device) throw notFound('device');
  if (!isInVehicle(device)) throw new RejectedMessage('no_vehicle', 'The device is not assigned to a vehicle');
  return { device, reports };
}

/**
 * Makes a device that the account of a forwarder does not have, in a vehicle with its name. A device that was removed is
 * none that is unknown, and what cannot be a serial names none.
 */
async function createUnknown(
  service: Service,
  { account_key }: Forwarder,
  { serial, name }: NamedDevice,
): Promise<void> {
  if (serial === null || serial.trim() !== serial || nameFault(serial) !== null) return;
  const accessScope = accountAccessScope(service, account_key);
  const known = { serial_folded: foldSerial(serial) };
  if ((await DeviceStore.countDocuments(accessScope, known)) > 0) return;
  const shown = [...(name ?? '').trim()].slice(0, MAX_NAME_LENGTH).join('');
  const nickname = nameFault(shown) === null ? shown : serial;
  const { key: vehicle_key } = await createVehicle(accessScope, { nickname });
  try {
    await createDevice(accessScope, { serial, vehicle_key });
  } catch (error) {
    await VehicleStore.deleteOne(accessScope, { key: vehicle_key });
    // Another request has made the device since: messages of one device come at the same time.
    if (!(error instanceof ServiceError && error.code === 'BAD_REQUEST')) throw error;
  }
}
