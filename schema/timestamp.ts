import { Extensions, Field } from 'type-graphql';

import { formatOffsetDateTime, formatSpacedDateTime } from './date-time.ts';

/** Formatter of a stored Date: used by the schema, and by `modelOf` as the mark of a Date. */
export type TimestampFormat = (date: Date) => string;

interface TimestampOptions {
  readonly description: string;
  readonly nullable?: boolean;
}

/** A field stored as a Date and written `YYYY-MM-DDThh:mm:ss+00:00`. */
export function OffsetTimestamp(options: TimestampOptions): PropertyDecorator {
  return timestampField(formatOffsetDateTime, options);
}

/** A field stored as a Date and written `YYYY-MM-DD hh:mm:ss` (UTC). */
export function SpacedTimestamp(options: TimestampOptions): PropertyDecorator {
  return timestampField(formatSpacedDateTime, options);
}

function timestampField(format: TimestampFormat, options: TimestampOptions): PropertyDecorator {
  return (target, property) => {
    Field(() => String, options)(target, property);
    Extensions({ timestamp: format })(target, property);
  };
}
