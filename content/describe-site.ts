import type { ContentContext } from './access/content-context.ts';
import { offsetAt } from './access/site-time.ts';

/** Describes the website for the index of the content interface. */
export async function describeSite({ site, settings }: ContentContext) {
  const { title, description, timezone } = await settings();
  const zone = timezone ?? '';
  return {
    name: title ?? '',
    description: description ?? '',
    url: site,
    home: site,
    gmt_offset: String(offsetAt(Date.now(), zone) / 3_600_000),
    timezone_string: zone,
  };
}
