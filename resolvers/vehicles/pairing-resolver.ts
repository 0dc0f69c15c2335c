import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { newKey } from '../../models/key.ts';
import { allTogether } from '../../models/store/transaction.ts';
import { checkName } from '../../schema/check-name.ts';
import { PairedVehicle, PairingInput } from '../../schema/account/pairing.ts';
import { createDevice } from '../devices/write-device.ts';
import { createVehicle } from './write-vehicle.ts';

/** Time in which the key of a new device must be used, in milliseconds. */
const PAIRING_MS = 10 * 60_000;

/** A vehicle, its device and the key of that, by one operation. */
@Resolver()
export class PairingResolver {
  @Access('owner')
  @Mutation(() => PairedVehicle, {
    description:
      'Creates a vehicle with a device, and issues a key that the device must use within ten minutes; all of it or ' +
      'nothing. If it is not used until then, the key ends; vehicle and device stay.',
  })
  async pairVehicle(
    @Arg('input', () => PairingInput, { description: 'The vehicle and the device.' }) input: PairingInput,
    @Ctx() context: RequestContext,
  ): Promise<PairedVehicle> {
    const { service } = context;
    const accessScope = accessScopeOf(context);
    const nickname = checkName('nickname', input.nickname);
    const serial = input.serial ?? newKey();
    const expires = new Date(Date.now() + PAIRING_MS);
    return allTogether(service, async () => {
      const { key: vehicle_key } = await createVehicle(accessScope, { nickname });
      const { key: device_key } = await createDevice(accessScope, { serial, vehicle_key });
      const holder = { account_key: accessScope.account_key, device_key };
      const { key, secret } = await issueIngestKey(service, { ...holder, expires }, ownerIn(context));
      return { key, secret, vehicle_key, device_key, expires };
    });
  }
}
