/** Size of the range of numbers of an epoch: more than the changes of a minute, or packs of a trip, under one fencing token. */
const NUMBERS_PER_EPOCH = 2 ** 20;

/** The number that follows `last` in an epoch of a device's lease; it is greater than every number of earlier epochs. */
export function numberAfter(last: number, epoch: number): number {
  return Math.max(last, leastNumber(epoch)) + 1;
}

/** Lower bound of the numbers of an epoch; those of earlier epochs are smaller. */
export function leastNumber(epoch: number): number {
  return epoch * NUMBERS_PER_EPOCH;
}
