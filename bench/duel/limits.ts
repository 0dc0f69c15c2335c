const HIGH = '999999999';

/** Limits that no client of a bench reaches; requests are counted nevertheless. */
export const LIMITS = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_CALLER: HIGH,
  RATE_LIMIT_ADDRESS: HIGH,
  RATE_LIMIT_FORWARDER: HIGH,
  RATE_LIMIT_POINTS: HIGH,
  RATE_LIMIT_MAP_POINTS: HIGH,
  RATE_LIMIT_APP_POINTS: HIGH,
  RATE_LIMIT_STREAMS: HIGH,
};
