import { createHash } from 'node:crypto';

import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import { UploadStore } from '../../../content/models/upload.ts';

import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const PATH = '/wp/v2/media';
const host = useContentHost();

const TYPE = { 'content-type': 'application/octet-stream' };
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const NOT_PERMITTED = 'Sorry, this file type is not permitted for security reasons.';
let png: Buffer;
let photo: Buffer;

beforeAll(async () => {
  const background = { r: 40, g: 90, b: 160 };
  png = await sharp({ create: { width: 8, height: 6, channels: 3, background } })
    .png()
    .toBuffer();
  photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background } })
    .jpeg()
    .toBuffer();
});

/** Uploads a body by its name; what is no Latin-1 in the name is sent as UTF-8. */
function upload(name: string, bytes: Uint8Array, asker: Asker = 'author', headers: Record<string, string> = {}) {
  const disposition = Buffer.from(`attachment; filename="${name}"`).toString('latin1');
  return host.call(asker, 'POST', PATH, {
    bytes,
    headers: { ...TYPE, 'content-disposition': disposition, ...headers },
  });
}

/** Uploads a form with a file and fields. */
async function uploadForm(field: string, file: File, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(field, file);
  const request = new Request('https://localhost/', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return host.call('author', 'POST', PATH, { bytes: new Uint8Array(await request.arrayBuffer()), headers });
}

/** Returns true if EXIF has a directory for the position, in either order of bytes. */
function positionIn(exif: Buffer | undefined): boolean {
  if (exif === undefined) throw new Error('There is no EXIF');
  return exif.includes(Buffer.from('25880400', 'hex')) || exif.includes(Buffer.from('88250004', 'hex'));
}

const storedPaths = async () => (await UploadStore.find(testService, {})).map(({ path }) => path);
const folder = () => new Date().toISOString().slice(0, 7).replace('-', '/');

describe('an image', () => {
  test('is stored by month, scaled to each size that is smaller, and served', async () => {
    const answer = await upload('Road Photo.JPG', photo);
    expect(answer.statusCode).toBe(201);
    const media = answer.json();
    const base = `${SITE}/wp-content/uploads/${folder()}`;
    expect(answer.headers.location).toBe(`${SITE}/wp-json/wp/v2/media/${media.id}`);
    expect(media).toMatchObject({
      slug: 'road-photo',
      status: 'inherit',
      title: { raw: 'Road-Photo' },
      guid: { raw: `${base}/Road-Photo.jpg` },
      media_type: 'image',
      mime_type: 'image/jpeg',
      comment_status: 'open',
      ping_status: 'closed',
      post: null,
      source_url: `${base}/Road-Photo.jpg`,
    });
    const { sizes, ...details } = media.media_details;
    expect(details).toMatchObject({ width: 1600, height: 1200, file: `${folder()}/Road-Photo.jpg` });
    const shape = { thumbnail: [150, 150], medium: [300, 225], medium_large: [768, 576], large: [1024, 768] };
    expect(Object.keys(sizes)).toEqual([...Object.keys(shape), 'full']);
    for (const [size, [width, height]] of Object.entries(shape)) {
      expect(sizes[size]).toEqual({
        file: `Road-Photo-${width}x${height}.jpg`,
        width,
        height,
        mime_type: 'image/jpeg',
        source_url: `${base}/Road-Photo-${width}x${height}.jpg`,
      });
      const copy = await host.call('anonymous', 'GET', sizes[size].source_url);
      expect(copy.headers['content-type']).toBe('image/jpeg');
      expect(await sharp(copy.rawPayload).metadata()).toMatchObject({ width, height, format: 'jpeg' });
    }
    expect((await host.call('anonymous', 'GET', media.source_url)).rawPayload.equals(photo)).toBe(true);
    expect(media.description.rendered).toBe(
      `<p class="attachment"><a href='${base}/Road-Photo.jpg'><img width="300" height="225" ` +
        `src="${base}/Road-Photo-300x225.jpg" class="attachment-medium size-medium" alt="" ` +
        `srcset="${base}/Road-Photo-300x225.jpg 300w, ${base}/Road-Photo-768x576.jpg 768w, ` +
        `${base}/Road-Photo-1024x768.jpg 1024w, ${base}/Road-Photo.jpg 1600w" ` +
        'sizes="(max-width: 300px) 100vw, 300px" /></a></p>\n',
    );
  });

  test('stands above its description, where shortcodes of its title are expanded', async () => {
    const { id, source_url } = (await upload('paper.txt', Buffer.from('text'))).json();
    const { description } = (
      await host.call('administrator', 'POST', `/wp/v2/media/${id}`, { json: { title: 'See [gallery]' } })
    ).json();
    expect(description.rendered).toBe(`<p class="attachment"><a href='${source_url}'>See </a></p>\n`);
  });

  test('gets the ending of what it really is', async () => {
    expect((await upload('drawing.jpg', png)).json()).toMatchObject({
      mime_type: 'image/png',
      source_url: expect.stringMatching(/drawing\.png$/),
    });
  });

  test('may be WebP, with scaled copies of the same kind', async () => {
    const answer = await upload('modern.webp', await sharp(photo).webp().toBuffer());
    const { mime_type, media_details } = answer.json();
    expect([answer.statusCode, mime_type, media_details.width]).toEqual([201, 'image/webp', 1600]);
    const { source_url } = media_details.sizes.medium;
    expect(source_url).toMatch(/modern-300x225\.webp$/);
    const copy = await host.call('anonymous', 'GET', source_url);
    expect(copy.headers['content-type']).toBe('image/webp');
    expect(await sharp(copy.rawPayload).metadata()).toMatchObject({ width: 300, height: 225, format: 'webp' });
    const listed = await host.call('anonymous', 'GET', `${PATH}?media_type=image&mime_type=image/webp`);
    expect(listed.json()).toMatchObject([{ mime_type: 'image/webp' }]);
  });

  test('may be AVIF, with scaled copies of the same kind', async () => {
    const answer = await upload('modern.avif', await sharp(photo).avif({ effort: 0 }).toBuffer());
    const { mime_type, media_details } = answer.json();
    expect([answer.statusCode, mime_type, media_details.width]).toEqual([201, 'image/avif', 1600]);
    const copy = await host.call('anonymous', 'GET', media_details.sizes.medium.source_url);
    expect(copy.headers['content-type']).toBe('image/avif');
    expect(await sharp(copy.rawPayload).metadata()).toMatchObject({ width: 300, height: 225, compression: 'av1' });
  });

  test.each(['phone.heic', 'phone.jpg'])('of HEIC, named %s, is refused with what to do', async (name) => {
    const heic = Buffer.from('0000001c667479706865696300000000686569636d69663168656963', 'hex');
    const answer = await upload(name, heic);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'rest_upload_image_type_not_supported']);
    expect(answer.json().message).toContain('Convert it to JPEG');
  });

  test.each(['jpeg', 'webp', 'png', 'avif'] as const)(
    'of %s has copies with its orientation and copyright, without its position',
    async (format) => {
      const facts = { IFD0: { Copyright: 'Ada', Orientation: '6' }, IFD3: { GPSLatitude: '52/1 31/1 12/1' } };
      const located = await sharp(photo).withExif(facts).toFormat(format).toBuffer();
      const { media_details, source_url } = (await upload(`located-${format}.${format}`, located)).json();
      expect(media_details.file).toContain(`located-${format}`);
      const copy = (await host.call('anonymous', 'GET', media_details.sizes.thumbnail.source_url)).rawPayload;
      const [before, after] = await Promise.all([located, copy].map((image) => sharp(image).metadata()));
      expect(positionIn(before?.exif)).toBe(true);
      expect(positionIn(after?.exif)).toBe(false);
      expect(after?.exif?.includes('Ada')).toBe(true);
      expect(after?.orientation).toBe(before?.orientation);
      expect((await host.call('anonymous', 'GET', source_url)).rawPayload.equals(located)).toBe(true);
    },
  );

  test('is not kept decoded', async () => {
    await upload('wide.png', png);
    expect(sharp.cache()).toMatchObject({ memory: { max: 0 }, items: { max: 0 } });
  });

  test('is deleted with its copies, for good only', async () => {
    const media = (await upload('short-lived.jpg', photo)).json();
    const trashed = await host.call('author', 'DELETE', `${PATH}/${media.id}`);
    expect([trashed.statusCode, trashed.json().code]).toEqual([501, 'rest_trash_not_supported']);
    expect((await storedPaths()).filter((path) => path.includes('short-lived'))).toHaveLength(5);
    const deleted = await host.call('author', 'DELETE', `${PATH}/${media.id}?force=true`);
    expect(deleted.json()).toMatchObject({ deleted: true, previous: { id: media.id } });
    expect((await storedPaths()).filter((path) => path.includes('short-lived'))).toEqual([]);
    expect((await host.call('anonymous', 'GET', media.source_url)).statusCode).toBe(404);
    expect((await host.call('anonymous', 'GET', `${PATH}/${media.id}`)).statusCode).toBe(404);
  });

  test.each([
    ['more than 100 megapixels', 20_000, 20_000, 'This is larger than the maximum size. Please try another.'],
    ['a side of more than 30,000 pixels', 2_000_000, 10, 'This is larger than the maximum size. Please try another.'],
    ['the other side', 10, 30_001, 'This is larger than the maximum size. Please try another.'],
    ['more pixels than there is memory for', 10_000, 10_000, 'Memory exceeded. Please try another smaller file.'],
  ])('of %s is not unpacked', async (_, width, height, message) => {
    const header = Buffer.from(png);
    header.writeUInt32BE(width, 16);
    header.writeUInt32BE(height, 20);
    const answer = await upload('bomb.png', header);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'rest_upload_image_too_large', message, data: { status: 400 } },
    ]);
    expect((await storedPaths()).filter((path) => path.includes('bomb'))).toEqual([]);
  });
});

test('two files of one name get different names, whichever is first', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => upload('same.txt', Buffer.from(`text ${text}`))));
  const names = answers.map((answer) => answer.json().source_url.replace(/^.*\//, ''));
  expect(names.sort()).toEqual(['same-1.txt', 'same-2.txt', 'same.txt']);
});

describe('a form', () => {
  test('uploads its part "file", and its fields describe it', async () => {
    const fields = { title: 'A title', caption: 'Below', alt_text: 'An <i>icon</i>', description: 'At length' };
    const answer = await uploadForm('file', new File([new Uint8Array(png)], '../../icon.png'), fields);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      title: { raw: 'A title', rendered: 'A title' },
      caption: { raw: 'Below', rendered: '<p>Below</p>\n' },
      description: { raw: 'At length' },
      alt_text: 'An icon',
      source_url: expect.stringMatching(/\/icon\.png$/),
    });
  });

  test.each([
    ['a file that may not be uploaded', 'file', new File(['<?php'], 'x.php'), NOT_PERMITTED],
    ['an empty file', 'file', new File([], 'x.txt'), /^File is empty\./],
    ['a part of another name', 'upload', new File(['x'], 'x.txt'), /^File is empty\./],
  ])('with %s is refused', async (_what, field, file, message) => {
    const answer = await uploadForm(field, file);
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({
      code: 'rest_upload_unknown_error',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  test.each([
    ['quotation marks that are escaped', 'filename="form \\"b\\" c.png"', 'form-b-c'],
    ['a backslash that is escaped', 'filename="form\\\\d.png"', 'd'],
    ['a path', 'filename="C:\\form\\e.png"', 'e'],
    ['no quotation marks', 'filename=form-f.png', 'form-f'],
    ['single ones', "filename='form-g.png'", 'form-g'],
    ['a semicolon', 'filename="form;h.png"', 'formh'],
    ['a percent sign', 'filename="form%22i.png"', 'form22i'],
    ['another name before', 'filename="x.txt"; filename="form-j.png"', 'form-j'],
  ])('names its file with %s', async (_, name, slug) => {
    const head = `--x\r\nContent-Disposition: form-data; name="file"; ${name}\r\nContent-Type: image/png\r\n\r\n`;
    const bytes = Buffer.concat([Buffer.from(head), png, Buffer.from('\r\n--x--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary="x"' };
    const answer = await host.call('author', 'POST', PATH, { bytes, headers });
    expect([answer.statusCode, answer.json().slug]).toEqual([201, slug]);
  });

  test.each([
    ['a preamble', (form: string) => `before\r\n${form}`, 'Read'],
    ['no end', (form: string) => form.slice(0, -9), 'x'],
    ['a part without a name', (form: string) => `--x\r\nX: y\r\n\r\n1\r\n${form}`, 'Read'],
    ['a part without a head', (form: string) => `--x\r\n1\r\n${form}`, 'Read'],
    ['a part with a huge name', (form: string) => form.replace('title', 'title'.repeat(4e6)), 'x'],
  ])('with %s is read as far as it is one', async (_, change, title) => {
    const form = '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nRead\r\n--x--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const bytes = Buffer.from(change(form));
    const answer = await host.call('editor', 'POST', '/wp/v2/posts?title=x', { bytes, headers });
    expect(answer.json().title.raw).toBe(title);
  });

  test('without a file has no data', async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nonly\r\n--x--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await host.call('author', 'POST', PATH, { bytes: Buffer.from(body), headers });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'rest_upload_no_data']);
  });
});

describe('a body', () => {
  const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

  test.each([
    ['no data', {}, Buffer.alloc(0), 400, 'rest_upload_no_data'],
    ['no disposition', { 'content-disposition': '' }, GIF, 400, 'rest_upload_no_content_disposition'],
    ['no name', { 'content-disposition': 'attachment' }, GIF, 400, 'rest_upload_invalid_disposition'],
    ['another name', { 'content-disposition': 'a; filename*=UTF-8' }, GIF, 400, 'rest_upload_invalid_disposition'],
    ['a wrong digest', { 'content-md5': md5(Buffer.from('x')) }, GIF, 412, 'rest_upload_hash_mismatch'],
  ])('with %s is refused', async (_what, headers, bytes, status, code) => {
    const answer = await upload('a.gif', bytes, 'author', headers);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  test('is taken with its digest', async () => {
    expect((await upload('digest.gif', GIF, 'author', { 'content-md5': md5(GIF) })).statusCode).toBe(201);
  });
});

describe('what is hostile', () => {
  const html = Buffer.from('<!DOCTYPE html><script>alert(1)</script>');
  const svg = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

  test.each<[string, Uint8Array]>([
    ['page.html', html],
    ['page.htm', html],
    ['page.xhtml', html],
    ['page.HTML', html],
    ['picture.svg', svg],
    ['picture.svgz', svg],
    ['script.js', Buffer.from('alert(1)')],
    ['script.mjs', Buffer.from('alert(1)')],
    ['program.php', Buffer.from('<?php')],
    ['program.phtml', Buffer.from('<?php')],
    ['program.exe', Buffer.from('MZ')],
    ['film.swf', Buffer.from('FWS')],
    ['.htaccess', Buffer.from('AddType text/html .png')],
    ['noending', GIF],
    ['double.png.html', html],
    ['picture.png', html],
    ['picture.png', svg],
    ['picture.jpg', Buffer.from('not an image at all')],
    ['picture.gif', Buffer.from('\u0000\u0001\u0002binary')],
    ['text.txt', html],
    ['text.txt', svg],
    ['text.txt', Buffer.from('\u0000binary')],
    ['style.css', Buffer.from('a{}')],
    ['paper.pdf', html],
    ['paper.pdf', Buffer.from('plain')],
    ['letter.docx', html],
    ['film.mp4', html],
    ['sound.mp3', Buffer.from('plain')],
    ['archive.zip', html],
    ['program.class', Buffer.from('cafebabe00000034', 'hex')],
  ])('is refused as %s', async (name, bytes) => {
    const before = await storedPaths();
    const answer = await upload(name, bytes, 'administrator');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      code: 'rest_upload_sideload_error',
      message: NOT_PERMITTED,
      data: { status: 500 },
    });
    expect(await storedPaths()).toEqual(before);
  });

  test.each([
    ['../../../../etc/cron.gif', 'etccron.gif'],
    ['..\\..\\windows.gif', 'windows.gif'],
    ['/absolute.gif', 'absolute.gif'],
    ['a.php.gif', 'a.php_.gif'],
    ['a.png.gif', 'a.png.gif'],
    ['.gif', 'unnamed-file.gif'],
    ['-._.gif', 'unnamed-file.gif'],
    ['q?u*e<r>y&.gif', 'query.gif'],
    ['%2e%2e%2fup.gif', '2e2e2fup.gif'],
    ['two  words.gif', 'two-words.gif'],
    ['UPPER.GIF', 'UPPER.gif'],
    ['tänk→日本.gif', 'tänk→日本.gif'],
  ])('in the name %s is taken out of it', async (name, stored) => {
    const media = (await upload(name, GIF)).json();
    expect(decodeURI(media.source_url ?? JSON.stringify(media)).replace(/-\d+(?=\.gif$)/, '')).toBe(
      `${SITE}/wp-content/uploads/${folder()}/${stored}`,
    );
    expect((await host.call('anonymous', 'GET', encodeURI(media.source_url))).rawPayload.equals(GIF)).toBe(true);
  });

  test('runs nowhere even if a picture is a script as well', async () => {
    const polyglot = Buffer.concat([GIF, html]);
    const media = (await upload('polyglot.gif', polyglot)).json();
    const { headers } = await host.call('anonymous', 'GET', media.source_url);
    expect(headers).toMatchObject({ 'content-type': 'image/gif', 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toContain("sandbox; default-src 'none'");
  });

  test.each(['anonymous', 'subscriber', 'contributor'] as const)('may not be sent by %s at all', async (asker) => {
    const answer = await upload('a.gif', GIF, asker);
    expect(answer.statusCode).toBe(asker === 'anonymous' ? 401 : 403);
    expect(answer.json().code).toBe('rest_cannot_create');
  });
});

describe('media', () => {
  test('are changed by their author, as far as they are written', async () => {
    const { id } = (await upload('change.gif', GIF)).json();
    const json = {
      title: 'New',
      alt_text: 'Seen <b>so</b>',
      caption: { raw: 'Caption' },
      description: 'Text<script>alert(1)</script>',
      status: 'publish',
      mime_type: 'text/html',
      source_url: 'https://elsewhere.example/',
    };
    expect((await host.call('author', 'POST', `${PATH}/${id}`, { json })).json()).toMatchObject({
      title: { raw: 'New' },
      alt_text: 'Seen so',
      caption: { raw: 'Caption' },
      description: { raw: expect.not.stringContaining('<script') },
      status: 'inherit',
      mime_type: 'image/gif',
      source_url: expect.stringMatching(/change\.gif$/),
    });
    const refused = await host.call('contributor', 'POST', `${PATH}/${id}`, { json: { title: 'x' } });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'rest_cannot_edit']);
  });

  test('have a title with its no-break spaces, and another text without backslashes', async () => {
    const { id } = (await upload('texts.png', png)).json();
    const json = { title: ' \u00a0x ', alt_text: 'a\\b \\\\ c' };
    const answer = await host.call('author', 'POST', `${PATH}/${id}`, { json });
    expect(answer.json()).toMatchObject({ title: { raw: '\u00a0x' }, alt_text: 'ab \\ c' });
  });

  test('hang on posts and pages that the caller may change, and on nothing else', async () => {
    const own = (await host.call('author', 'POST', '/wp/v2/posts', { json: { title: 'Mine' } })).json();
    const other = (await host.call('editor', 'POST', '/wp/v2/posts', { json: { title: 'Not mine' } })).json();
    const name = { 'content-disposition': 'attachment; filename=hang.gif', ...TYPE };
    const to = (post: number) => host.call('author', 'POST', `${PATH}?post=${post}`, { bytes: GIF, headers: name });
    const media = await to(own.id);
    expect(media.json().post).toBe(own.id);
    expect([(await to(other.id)).statusCode, (await to(other.id)).json().code]).toEqual([403, 'rest_cannot_edit']);
    expect((await to(999_999)).json().code).toBe('rest_cannot_edit');
    const onMedia = await to(media.json().id);
    expect([onMedia.statusCode, onMedia.json().code]).toEqual([400, 'rest_invalid_param']);
    // What hangs on a draft is as hidden as the draft.
    expect((await host.call('anonymous', 'GET', `${PATH}/${media.json().id}`)).statusCode).toBe(401);
  });

  test('are found below their post, even if their slug is a number', async () => {
    const json = { title: 'Above', status: 'publish' };
    const above = (await host.call('editor', 'POST', '/wp/v2/posts', { json })).json();
    const headers = { 'content-disposition': 'attachment; filename=number.gif', ...TYPE };
    const { id } = (await host.call('editor', 'POST', `${PATH}?post=${above.id}`, { bytes: GIF, headers })).json();
    const linkWith = async (slug: string) =>
      (await host.call('editor', 'POST', `${PATH}/${id}`, { json: { slug } })).json().link as string;
    for (const [slug, end] of [
      ['named', 'named/'],
      ['2024', 'attachment/2024/'],
    ] as const) {
      const link = await linkWith(slug);
      expect(link).toBe(above.link + end);
      const found = await host.call('anonymous', 'GET', `/oembed/1.0/embed?url=${encodeURIComponent(link)}`);
      expect(found.json()).toMatchObject({ title: 'number' });
    }
  });

  test.each([
    ['media_type=image', true],
    ['media_type=video', false],
    ['media_type=font', false],
    ['media_type=text', false],
    ['mime_type=image/gif', true],
    ['mime_type=image/bmp', false],
    ['mime_type=no/such', true],
    ['media_type=video&mime_type=image/gif', true],
    ['search=listed-file', true],
  ])('are listed by %s', async (query, isListed) => {
    const { id } = (await upload('listed-file.gif', GIF)).json();
    const listed = (await host.call('anonymous', 'GET', `${PATH}?${query}&per_page=100`)).json();
    expect(listed.some((media: { id: number }) => media.id === id)).toBe(isListed);
  });
});
