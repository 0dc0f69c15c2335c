import type { DeviceItself, Forwarder } from '../../auth/caller.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { isSending, SENDING_FIELDS, type SendingDevice } from '../../models/vehicles/device-tail.ts';
import { foldSerial } from '../../models/vehicles/serial-grams.ts';

import { mapInBatches } from '../recording/map-in-batches.ts';
import { createUnknown, type NamedDevice } from './create-unknown.ts';
import type { Service } from '../../models/service.ts';

/**
 * The devices that a message names, in their order, of those for which a sender may send; null for each that there is not.
 * A null serial is a device's own. At most one query, unless the sender makes devices and one is unknown.
 */
export async function findDevices(
  service: Service,
  sender: DeviceItself | Forwarder,
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
