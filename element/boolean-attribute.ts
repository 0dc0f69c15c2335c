/** An attribute that is on when it is there, unless it says `false`: frameworks and templates write that for "off". */
export const booleanAttribute = {
  fromAttribute: (value: string | null): boolean => value !== null && value.trim().toLowerCase() !== 'false',
  toAttribute: (value: boolean): string | null => (value ? '' : null),
};
