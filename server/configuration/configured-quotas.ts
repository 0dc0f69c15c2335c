import type { Config } from './config.ts';

import type { AdmissionQuotas } from '../../http/admission/admission.ts';

/** Reads the quotas from the settings; null where they are off. */
export function configuredQuotas(config: Config): AdmissionQuotas | null {
  if (config.rateLimits === 'off') return null;
  const aMinute = (name: string, points: number) => ({ name, points, seconds: 60 });
  return {
    caller: aMinute('caller', config.rateLimitCaller),
    forwarder: aMinute('forwarder', config.rateLimitForwarder),
    address: aMinute('address', config.rateLimitAddress),
    points: aMinute('points', config.rateLimitPoints),
    mapPoints: aMinute('map-points', config.rateLimitMapPoints),
    appPoints: aMinute('app-points', config.rateLimitAppPoints),
  };
}
