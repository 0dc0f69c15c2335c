import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type Caller, type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { Device, DeviceInput, PRESENT_STATUSES } from '../../schema/vehicles/device.ts';
import { Deletion } from '../../schema/deletion.ts';
import { After, First, connectionOf, type Page } from '../../schema/page.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { changedSettings } from '../../models/trips/trip-limits.ts';
import { TripSettingsInput } from '../../schema/account/trip-settings.ts';
import { partSearch } from '../../models/lookup/part-search.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { type PresentedDevice, presentDevices } from './device-presence.ts';
import { createDevice, removeDevice, restoreDevice, updateDevice } from './write-device.ts';
import type { Service } from '../../models/store/service.ts';

const DeviceConnection = connectionOf(Device, 'Device');

/** Hardware in the account's vehicles. */
@Resolver()
export class DeviceResolver {
  @Access('account.read')
  @Query(() => DeviceConnection, { description: 'Pending and installed devices, in order of creation.' })
  async devices(
    @Arg('q', () => String, { nullable: true, description: 'Any part of a serial, case-insensitive.' })
    q: string | undefined,
    @First(50) first: number | null,
    @After() after: string | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<Device>> {
    const page = await creationPage(DeviceStore, {
      accessScope: accessScopeOf({ service, caller }),
      first: first ?? 50,
      after,
      search: partSearch('serial', q ?? ''),
      listed: { status: { $in: PRESENT_STATUSES } },
      hidden: ['seen_outside'],
      kind: 'device',
      isContinuedByKey: true,
    });
    return { ...page, nodes: await presentDevices(service, caller, page.nodes) };
  }

  @Access('account.read')
  @Query(() => Device, { nullable: true, description: 'One device.' })
  device(
    @Arg('key', () => String, { description: 'Key of the device.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Device> {
    return oneDevice(service, caller, key);
  }

  @Access('devices.manage')
  @Mutation(() => Device, { description: 'Creates a device, in the groups of its vehicle.' })
  async createDevice(
    @Arg('serial', () => String, { description: 'Serial number of the hardware, unique in the account.' })
    serial: string,
    @Arg('vehicle_key', () => String, { nullable: true, description: 'Key of the vehicle to assign it to.' })
    vehicle_key: string | null | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Device> {
    const made = await createDevice(accessScopeOf({ service, caller }), { serial, vehicle_key });
    return presented(service, caller, made);
  }

  @Access('devices.manage')
  @Mutation(() => Device, {
    description:
      'Assigns a device to a vehicle, or marks its subscription Do Not Renew or renewing. Omitted fields stay ' +
      'unchanged. Idempotent.',
  })
  async updateDevice(
    @Arg('key', () => String, { description: 'Key of the device.' }) key: string,
    @Arg('input', () => DeviceInput, { description: 'The fields to change.' }) input: DeviceInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Device> {
    const { subscription_status, vehicle_key } = input;
    if (subscription_status === null || (subscription_status === undefined && vehicle_key === undefined)) {
      throw new ServiceError('BAD_REQUEST', 'subscription_status is required');
    }
    await updateDevice(accessScopeOf({ service, caller }), key, { subscription_status, vehicle_key });
    return oneDevice(service, caller, key);
  }

  @Access('devices.manage')
  @Mutation(() => Device, {
    description:
      'Changes what decides where the trips of a device begin and end. Trips that were recorded before stay as they are.',
  })
  async updateDeviceTripSettings(
    @Arg('key', () => String, { description: 'Key of the device.' }) key: string,
    @Arg('input', () => TripSettingsInput, { description: 'The settings to change.' }) input: TripSettingsInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Device> {
    const device = await oneDevice(service, caller, key);
    const fields = TripSettingsInput.read(input);
    if (Object.keys(fields).length === 0) return device;
    const changed = changedSettings(device.trip_settings, fields);
    await DeviceStore.updateOne(accessScopeOf({ service, caller }), { key }, { trip_settings: changed });
    return oneDevice(service, caller, key);
  }

  @Access('devices.manage', 'recent-sign-in')
  @Mutation(() => Deletion, {
    description:
      'Removes a device: positions that it sends are rejected. It can be restored within 30 days. Idempotent.',
  })
  deleteDevice(
    @Arg('key', () => String, { description: 'Key of the device.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Deletion> {
    return removeDevice(accessScopeOf({ service, caller }), key);
  }

  @Access('devices.manage')
  @Mutation(() => Device, {
    description: 'Restores a removed device, in its vehicle if that still exists. Idempotent.',
  })
  async restoreDevice(
    @Arg('key', () => String, { description: 'Key of the device.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Device> {
    await restoreDevice(accessScopeOf({ service, caller }), key);
    return oneDevice(service, caller, key);
  }
}

async function oneDevice(service: Service, caller: Caller, key: string): Promise<Device> {
  const query = { accessScope: accessScopeOf({ service, caller }), filter: { key }, hidden: ['seen_outside'] as const };
  return presented(service, caller, await DeviceStore.readOneShown(query));
}

async function presented(service: Service, caller: Caller, found: PresentedDevice | null): Promise<Device> {
  const [device] = await presentDevices(service, caller, found ? [found] : []);
  if (!device) throw notFound('device');
  return device;
}
