import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';

import { isPermitted, type RequestContext } from '../../auth/caller.ts';
import { GraphqlOnly } from '../../schema/field-decorators.ts';
import { Device, DeviceReporting } from '../../schema/vehicles/device.ts';
import { deviceReporting } from '../../tracking/trips/device-reporting.ts';

/** The way in which devices report. */
@Resolver(() => Device)
export class DeviceReportingResolver {
  @GraphqlOnly()
  @FieldResolver(() => DeviceReporting, {
    nullable: true,
    description: 'How it reports; null if it has sent no position in its vehicle, and to all but the owner.',
  })
  async reporting(@Root() { key }: Device, @Ctx() context: RequestContext): Promise<DeviceReporting | null> {
    return isPermitted(context.caller, ['owner']) ? deviceReporting(context, key) : null;
  }
}
