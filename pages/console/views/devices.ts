import { html, nothing, type TemplateResult } from 'lit';

import type { Device as FullDevice } from '../../../schema/vehicles/device.ts';
import { choiceField, type Fields, textField } from '../browser/form.ts';
import { ago } from '../browser/format.ts';
import { type Named, nameOf, vehicleNames } from '../records/known-records.ts';
import { pageAddress } from '../browser/page-data.ts';
import { type ByKey, change, RecordList, type Shown } from '../records/records.ts';
import { type Action, RecordsPage } from '../records/records-page.ts';
import { t } from '../browser/texts.ts';
import { toast } from '../browser/toast.ts';
import {
  TRIP_SETTINGS_FIELDS,
  type TripSettings,
  tripSettingsFields,
  tripSettingsOf,
} from '../records/trip-settings.ts';

const DEVICE_FIELDS = 'key serial vehicle_key is_connected last_transmission subscription_status';
type Device = Shown<FullDevice, typeof DEVICE_FIELDS | 'trip_settings'>;

const createDevice = change<{ readonly serial: string; readonly vehicle_key: string | null }>(
  'createDevice(serial: String!, vehicle_key: String) { key }',
);
const updateDevice = change<ByKey & { readonly input: Partial<Pick<Device, 'vehicle_key' | 'subscription_status'>> }>(
  'updateDevice(key: String!, input: DeviceInput!) { key }',
);
const updateDeviceTripSettings = change<ByKey & { readonly input: TripSettings }>(
  'updateDeviceTripSettings(key: String!, input: TripSettingsInput!) { key }',
);
const recutTrips = change<
  { readonly vehicle_key: string; readonly input: { readonly recorded_after: string | null } },
  { readonly trips_after: number }
>('recutTrips(vehicle_key: String!, input: RecutInput) { trips_after }');
const deleteDevice = change<ByKey>('deleteDevice(key: String!) { key }');
const restoreDevice = change<ByKey>('restoreDevice(key: String!) { key }');

/** The devices that send positions. */
export class DevicesPage extends RecordsPage {
  #vehicles: readonly Named[] = [];
  readonly #devices = new RecordList<Device>(
    `devices {
      ${DEVICE_FIELDS}
      ${TRIP_SETTINGS_FIELDS}
    }`,
  );

  protected async load(): Promise<void> {
    this.#vehicles = await vehicleNames();
    await this.#devices.read({});
  }

  protected content(): TemplateResult {
    const { title, lead, add, serial, vehicle, sent, never, none, ending, empty } = t.devices;
    const list = this.section<Device>({
      title,
      lead,
      add: { label: add, run: () => this.#add() },
      list: this.#devices,
      nameOf: (device) => device.serial,
      empty,
      columns: [
        {
          title: serial,
          cell: (device) =>
            html`<strong>${device.serial}</strong> ${device.subscription_status === 'canceled' ? html`<span class="badge">${ending}</span>` : nothing}`,
        },
        {
          title: vehicle,
          cell: ({ vehicle_key: key }) =>
            key
              ? html`<a href=${pageAddress('/vehicle', { key })}>${nameOf('vehicle', this.#vehicles, key)}</a>`
              : none,
        },
        { title: sent, cell: ({ last_transmission }) => (last_transmission ? ago(last_transmission) : never) },
      ],
      actions: (device) => this.#actions(device),
    });
    return html`${this.undoNotice()} ${list}`;
  }

  #actions(device: Device): readonly Action[] {
    const { key, serial } = device;
    const { assign, keys, detection, recut, renew, cancel, remove, removeText, restore } = t.devices;
    const isActive = device.subscription_status === 'active';
    const status = isActive ? 'canceled' : 'active';
    const turn = () => updateDevice({ key, input: { subscription_status: status } });
    return [
      { label: assign, run: () => this.#assign(device) },
      { label: keys, run: () => location.assign(pageAddress('/keys', { device: key })) },
      { label: detection, run: () => this.#changeDetection(device) },
      ...(device.vehicle_key === null ? [] : [{ label: recut, run: () => this.#recut(device.vehicle_key ?? '') }]),
      { label: isActive ? cancel : renew, run: () => this.act(turn, t.records.done) },
      this.removal(remove, serial, removeText, async () => {
        await deleteDevice({ key });
        this.offerUndo(t.records.removed(serial), restore, () => restoreDevice({ key }));
      }),
    ];
  }

  #add(): void {
    const { add, serial, serialHint } = t.devices;
    this.edit({
      title: add,
      submit: add,
      fields: html`
        ${textField({ name: 'serial', label: serial, hint: serialHint, isRequired: true, maxLength: 255 })}
        ${this.#vehicleField('')}`,
      save: (fields) => createDevice({ serial: fields.serial ?? '', vehicle_key: fields.vehicle || null }),
    });
  }

  #assign({ key, serial, vehicle_key }: Device): void {
    const save = ({ vehicle }: Fields) => updateDevice({ key, input: { vehicle_key: vehicle || null } });
    this.edit({ title: serial, submit: t.save, fields: this.#vehicleField(vehicle_key ?? ''), save });
  }

  #vehicleField(value: string): TemplateResult {
    return choiceField({ name: 'vehicle', label: t.devices.vehicle, value }, [['', t.devices.none], ...this.#vehicles]);
  }

  #changeDetection({ key, serial, trip_settings }: Device): void {
    const save = (fields: Fields) => updateDeviceTripSettings({ key, input: tripSettingsOf(fields) });
    this.edit({
      title: `${t.devices.detection}: ${serial}`,
      lead: t.tripSettings.lead,
      submit: t.save,
      fields: tripSettingsFields(trip_settings),
      save,
    });
  }

  #recut(vehicle_key: string): void {
    const { recut, recutLead, recutSince, recutDone } = t.devices;
    this.edit({
      title: recut,
      lead: recutLead,
      submit: recut,
      fields: textField({ name: 'after', label: recutSince, type: 'datetime-local' }),
      save: async ({ after }) => {
        const since = after ? new Date(after).toISOString() : null;
        toast(recutDone((await recutTrips({ vehicle_key, input: { recorded_after: since } })).trips_after));
      },
    });
  }
}

customElements.define('console-devices', DevicesPage);
