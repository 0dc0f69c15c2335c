import type { StoredItem } from '../models/content-item.ts';
import { formatContentDate } from '../schema/content-date.ts';
import type { ContentContext } from '../access/content-context.ts';
import { isSignature, signatureOf } from '../access/signature.ts';
import type { Service } from '../../models/store/service.ts';

/** Time for which a preview is shown, in milliseconds: an hour. */
const LIFETIME = 60 * 60 * 1000;

/** Parameter of the address of a preview. */
export const PREVIEW = 'preview';

/** The address at which everyone who has it sees an item as it is now, until it is saved again, for an hour at most. */
export async function previewLink(item: StoredItem, { service, site }: ContentContext, now = Date.now()) {
  const end = (now + LIFETIME).toString(36);
  const link = `${site}/?p=${item.id}&${PREVIEW}=${end}.${await signatureOf(service, textOf(item, end))}`;
  return { link, expires_gmt: formatContentDate(now + LIFETIME) };
}

/** Returns true if a parameter of an address proves that an item may be previewed. */
export async function mayPreview(service: Service, item: StoredItem, parameter: string): Promise<boolean> {
  const [end = '', signature = ''] = parameter.split('.', 2);
  return Date.now() < Number.parseInt(end, 36) && (await isSignature(service, signature, textOf(item, end)));
}

function textOf({ id, version = '' }: StoredItem, end: string): string {
  return `preview of ${id} ${version} ${end}`;
}
