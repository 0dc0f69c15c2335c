import type { Service } from '../store/service.ts';

const MINUTE_MS = 60_000;

/** Returns true if something is no news when it is logged, since it happened too long before: it is posted to no webhook. */
export function isLate({ settings }: Service, happened: Date, logged: Date): boolean {
  return logged.getTime() - happened.getTime() > settings.webhookMaxAge * MINUTE_MS;
}
