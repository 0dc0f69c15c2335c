import { createHash } from 'node:crypto';

import sharp from 'sharp';

import { evaluate, evaluateCount } from '../evaluate.ts';
import { PUBLIC_URL } from '../fleet.ts';
import type { Service } from '../service.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Media {
  readonly id: number;
  readonly title: { readonly raw: string };
  readonly source_url: string;
  readonly media_details: { readonly sizes?: Readonly<Record<string, { readonly source_url: string }>> };
}

const MAX_A_ROUND = 10;
/** Sizes of text files: less than a piece in which files are stored, and more than two. */
const TEXT_BYTES = [20_000, 600_000];

const image = sharp({ create: { width: 320, height: 240, channels: 3, background: '#28a' } })
  .png()
  .toBuffer();
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Uploads of images, with their scaled copies, and of texts; their bytes are fetched again. */
export const media: WriteKind = {
  name: 'uploads (content)',
  begin: async ({ number, fleet, newLedger, random }) => {
    const headers = fleet.website;
    const ledger = newLedger();
    const ids = new Map<string, number>();
    const marks = Array.from({ length: MAX_A_ROUND + 1 }, () => random.next().toString(36).padEnd(12, '0'));
    const png = await image;
    let next = 0;
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        const at = next++;
        const isImage = at % 2 === 0;
        const title = `r${number}e-${at}`;
        const mark = Buffer.from(`${marks[at]} ${title}\n`);
        // What follows the last chunk of a PNG is no part of the picture.
        const bytes = isImage
          ? Buffer.concat([png, mark])
          : Buffer.alloc(TEXT_BYTES[(at >> 1) % TEXT_BYTES.length] ?? 0, mark);
        const answer = await ledger.send([ledger.note(title, hashOf(bytes))], () =>
          to.ask('/wp-json/wp/v2/media', {
            headers: {
              ...headers,
              'content-type': 'application/octet-stream',
              'content-disposition': `attachment; filename="${title}.${isImage ? 'png' : 'txt'}"`,
            },
            body: bytes,
          }),
        );
        if (answer) ids.set(title, jsonBody<Media>(answer).id);
        return next < MAX_A_ROUND;
      },
      verify: async (from) => {
        const { items, total } = await from.list<Media>(`/media?context=edit&search=r${number}e`, headers);
        const single: [string, string][] = [];
        for (const id of ids.values()) {
          const { json } = await from.read<Media>(`/wp-json/wp/v2/media/${id}?context=edit`, headers);
          single.push([json.title.raw, await hashOfFiles(from, json)]);
        }
        const listed: [string, string][] = [];
        for (const one of items) listed.push([one.title.raw, await hashOfFiles(from, one)]);
        return [
          ...evaluate(ledger.writes, [
            { name: 'GET /media?search', shown: shownBy(listed), isExclusive: true },
            { name: 'GET /media/{id}', shown: shownBy(single), covers: 'acknowledged' },
          ]),
          ...evaluateCount('X-WP-Total of GET /media?search', total, items.length),
        ];
      },
    };
  },
};

/** Hash of a file as it is served; where it or a scaled copy is not served, says so in its place. */
async function hashOfFiles(from: Service, { source_url, media_details }: Media): Promise<string> {
  for (const { source_url: copy } of Object.values(media_details.sizes ?? {})) {
    const { status, bytes } = await from.ask(copy.slice(PUBLIC_URL.length));
    if (status !== 200 || bytes.length === 0) return `${status} for ${copy}`;
  }
  const { status, bytes } = await from.ask(source_url.slice(PUBLIC_URL.length));
  return status === 200 ? hashOf(bytes) : `${status} for ${source_url}`;
}
