import type { Service } from '../../models/store/service.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { IngestRejectionStore } from '../../models/vehicles/ingest-rejection.ts';
import { REJECTIONS, RejectionReason } from '../../schema/vehicles/ingest-rejection.ts';

import { type Finding, sound, warning } from './finding.ts';

const DAY_MS = 86_400_000;
/** Maximum number of devices that a finding names. */
const MAX_NAMED = 10;
const REJECTING = Object.values(RejectionReason).filter((reason) => REJECTIONS[reason].outcome === 'rejected');

/** Finds devices, and unknown serials, of which no position of the last day was stored. */
export async function rejectionFinding(service: Service, now: number): Promise<Finding> {
  const since = new Date(now - DAY_MS);
  const all = unrestricted(service);
  const those = { last: { $gt: since }, reason: { $in: REJECTING } };
  const rejected = await IngestRejectionStore.find(all, those).sort({ last: -1 });
  const keys = rejected.flatMap(({ device_key }) => device_key ?? []);
  const devices = await DeviceStore.find(all, { key: { $in: keys } }, 'key serial last_transmission');
  const silent = new Map(
    devices
      .filter(({ last_transmission }) => last_transmission === null || last_transmission < since)
      .map(({ key, serial }) => [key, serial]),
  );
  const named = rejected.flatMap(({ device_key, serial, reason }) => {
    const name = device_key === null ? serial || 'a message without a serial' : silent.get(device_key);
    return name === undefined ? [] : [`${name} (${reason})`];
  });
  if (named.length === 0) return sound('positions', 'no device has had all positions of the last day rejected');
  const others = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
  const advice = `"waybridge device rejections --account ${rejected[0]?.account_key}" shows what came, and what to do.`;
  const detail = `all positions of the last day were rejected: ${named.slice(0, MAX_NAMED).join(', ')}${others}`;
  return warning('positions', detail, advice);
}
