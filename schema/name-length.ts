/** Longest name that people give to something, in characters after trimming. */
export const MAX_NAME_LENGTH = 255;
