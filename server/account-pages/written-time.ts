import { formatOffsetDateTime } from '../../schema/date-time.ts';
import { type Html, html } from '../../http/answers/html.ts';

/** Writes a time to the minute, in UTC. */
export function writtenTime(time: Date): Html {
  const offset = formatOffsetDateTime(time);
  return html`<time datetime="${offset}">${offset.slice(0, 10)} ${offset.slice(11, 16)}</time> UTC`;
}
