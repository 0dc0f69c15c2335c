import { DeviceModel } from '../../models/vehicles/device.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';

import { unknownKey } from '../input/unknown-key.ts';

/**
 * Finds a device of any account.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `device` and the key
 */
export async function findDevice(deviceKey: string): Promise<{ readonly key: string; readonly account_key: string }> {
  const device = await DeviceModel.findOne({ key: deviceKey }, 'key account_key', { accessScope: UNRESTRICTED }).lean();
  if (!device) throw unknownKey('device', 'a device', deviceKey);
  return device;
}
