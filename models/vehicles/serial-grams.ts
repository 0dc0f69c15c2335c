import { gramsOf } from '../n-grams.ts';

/** Folds a serial, or a part of one, so that a comparison ignores case. */
export function foldSerial(serial: string): string {
  return serial.toLowerCase();
}

/**
 * Returns the serial of a device with the fields that are derived from it. Every writer stores what it returns, so that a
 * search by grams and a look-up by the whole serial find the same devices.
 */
export function serialFields(serial: string) {
  const serial_folded = foldSerial(serial);
  return { serial, serial_folded, serial_grams: gramsOf(serial_folded) };
}
