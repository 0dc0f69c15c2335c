import { GraphQLScalarType, GraphQLString } from 'graphql';

import { formatOffsetDateTime, formatSpacedDateTime } from './date-time.ts';

/**
 * A point in time that is stored as a Date and written `YYYY-MM-DDThh:mm:ss+00:00`. Arguments have the grammar of
 * `parseDateTime`: their text reaches the resolver as it was sent, so that errors name the argument. Decisions: "Date-times
 * accepted".
 */
export const DateTime = timestampScalar('DateTime', formatOffsetDateTime, {
  description:
    'A point in time. Fields have a date-time of RFC 3339, to the second: `YYYY-MM-DDThh:mm:ss+00:00`. Arguments take a date-time of ISO 8601: `YYYY-MM-DD`, or `YYYY-MM-DDThh:mm` with or without seconds and their fraction, then `Z`, an offset (`+02:00`, `+0200` or `+02`) or nothing, which means GMT.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
});

/** A point in time that is stored as a Date and written `YYYY-MM-DD hh:mm:ss` (UTC). */
export const SpacedDateTime = timestampScalar('SpacedDateTime', formatSpacedDateTime, {
  description:
    'A point in time, to the second, as full-date and partial-time of RFC 3339 with a space between them, in UTC: `YYYY-MM-DD hh:mm:ss`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
});

function timestampScalar(
  name: string,
  format: (date: Date) => string,
  text: { readonly description: string; readonly specifiedByURL: string },
): GraphQLScalarType<string, string> {
  return new GraphQLScalarType<string, string>({
    name,
    ...text,
    parseValue: (value) => GraphQLString.parseValue(value),
    parseLiteral: (node) => GraphQLString.parseLiteral(node),
    serialize: (value) => {
      if (!(value instanceof Date)) throw new TypeError(`${name} is written from a Date, not from ${typeof value}`);
      return format(value);
    },
  });
}
