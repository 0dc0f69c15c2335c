/**
 * Documents of a batch of a long list. The driver decodes those of a batch in one go, and other requests go on between two;
 * a list of the usual length is one batch.
 */
export const BATCH_SIZE = 250;
