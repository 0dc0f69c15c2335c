import type { DeviceItself, Forwarder } from '../../auth/caller.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { isSending, SENDING_FIELDS, type SendingDevice } from '../../models/vehicles/device-tail.ts';
import { foldSerial } from '../../models/vehicles/serial-grams.ts';

/**
 * The devices of serials, in their order, of those for which a sender may send; null for each that there is not. A null
 * serial is a device's own. At most one query.
 */
export async function findDevices(
  sender: DeviceItself | Forwarder,
  serials: readonly (string | null)[],
): Promise<(SendingDevice | null)[]> {
  const folded = serials.map((serial) => (serial === null ? null : foldSerial(serial)));
  if (sender.kind === 'device') {
    const { device } = sender;
    return folded.map((serial) => (serial === null || serial === device.serial_folded ? device : null));
  }
  const named = { serial_folded: { $in: folded.filter((serial) => serial !== null) } };
  const accessScope = accountAccessScope(sender.account_key);
  const found = await DeviceModel.find(named, SENDING_FIELDS, { accessScope }).lean<SendingDevice[]>();
  const devices = new Map(found.filter(isSending).map((device) => [device.serial_folded, device]));
  return folded.map((serial) => devices.get(serial ?? '') ?? null);
}
