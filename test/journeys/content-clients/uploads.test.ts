import { randomBytes } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { UploadStore, UploadPieceStore } from '../../../content/models/upload.ts';
import { mediaStorage } from '../../../content/media/storage/media-storage.ts';
import { uploadsEndpoint } from '../../../server/endpoints/uploads-endpoint.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';

useDatabase();

/** Larger than one command writes, and no whole number of pieces. */
const LARGE = randomBytes(16 * 256 * 1024 + 4321);
const TEXT = Buffer.from('plain text file');
const FOLDER = '/wp-content/uploads';

let app: FastifyInstance;

beforeAll(async () => {
  app = await openHost([uploadsEndpoint(new URL('https://localhost:8443'), mediaStorage(testService))]);
  await mediaStorage(testService).store('2026/11/large.mp4', 'video/mp4', LARGE);
  await mediaStorage(testService).store('note.txt', 'text/plain', TEXT);
  await mediaStorage(testService).store('manual.pdf', 'application/pdf', Buffer.from('%PDF-1.4'));
});

afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}) => app.inject({ url: `${FOLDER}/${path}`, headers });

describe('a file', () => {
  test('is served whole, with its type, length, and validators', async () => {
    const { statusCode, headers, rawPayload } = await get('2026/11/large.mp4');
    expect(statusCode).toBe(200);
    expect(rawPayload.equals(LARGE)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(LARGE.length),
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      'last-modified': expect.stringMatching(/GMT$/),
      'cache-control': 'public, max-age=3600',
    });
  });

  test('runs nothing in a browser', async () => {
    const { headers } = await get('note.txt');
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': expect.stringContaining("sandbox; default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
    });
    expect((await get('manual.pdf')).headers['content-disposition']).toBe('attachment');
  });

  test('answers HEAD like GET, without its bytes', async () => {
    const answer = await app.inject({ method: 'HEAD', url: `${FOLDER}/note.txt`, headers: { range: 'bytes=0-1' } });
    expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([200, String(TEXT.length), '']);
  });

  test.each([
    ['bytes=0-4', 0, 5],
    ['bytes=262140-262150', 262140, 262151],
    ['bytes=4194000-', 4194000, LARGE.length],
    ['bytes=-7', LARGE.length - 7, LARGE.length],
    ['bytes=5-999999999', 5, LARGE.length],
  ])('is served by the range %s', async (range, start, end) => {
    const { statusCode, headers, rawPayload } = await get('2026/11/large.mp4', { range });
    expect(statusCode).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end - 1}/${LARGE.length}`);
    expect(rawPayload.equals(LARGE.subarray(start, end))).toBe(true);
  });

  test.each(['bytes=999-', 'bytes=-0'])('refuses the range %s by 416', async (range) => {
    const { statusCode, headers } = await get('note.txt', { range });
    expect([statusCode, headers['content-range']]).toEqual([416, `bytes */${TEXT.length}`]);
  });

  test.each(['bytes=0-1,3-4', 'bytes=4-2', 'lines=0-1', 'bytes=-', 'x'])('is whole for the range %s', async (range) => {
    const answer = await get('note.txt', { range });
    expect([answer.statusCode, answer.body]).toEqual([200, String(TEXT)]);
  });

  test('is sent again only where it has changed', async () => {
    const { headers } = await get('note.txt');
    const etag = String(headers.etag);
    const modified = String(headers['last-modified']);
    const past = new Date(Date.parse(modified) - 60_000).toUTCString();
    const statusOf = async (conditions: Record<string, string>) => (await get('note.txt', conditions)).statusCode;
    expect(await statusOf({ 'if-none-match': etag })).toBe(304);
    expect(await statusOf({ 'if-none-match': `"other", W/${etag}` })).toBe(304);
    expect(await statusOf({ 'if-none-match': '"other"', 'if-modified-since': modified })).toBe(200);
    expect(await statusOf({ 'if-modified-since': modified })).toBe(304);
    expect(await statusOf({ 'if-modified-since': past })).toBe(200);
    expect(await statusOf({ 'if-match': '"other"' })).toBe(412);
    expect(await statusOf({ 'if-match': etag })).toBe(200);
    expect(await statusOf({ 'if-unmodified-since': past })).toBe(412);
    expect(await statusOf({ range: 'bytes=0-1', 'if-range': etag })).toBe(206);
    expect(await statusOf({ range: 'bytes=0-1', 'if-range': '"other"' })).toBe(200);
    expect(await statusOf({ range: 'bytes=0-1', 'if-range': past })).toBe(200);
  });

  test.each([
    'nope.png',
    '../waybridge.db',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/tls/ca.pem',
    'note.txt%00.png',
    'note.txt/',
    '',
    `${'a'.repeat(9000)}`,
  ])('is not found at %s', async (path) => {
    expect((await get(path)).statusCode).toBe(404);
  });
});

describe('the storage', () => {
  test('never replaces a file', async () => {
    expect(await mediaStorage(testService).store('note.txt', 'text/plain', Buffer.from('other'))).toBe(false);
    expect((await get('note.txt')).body).toBe(String(TEXT));
  });

  test('gives a name to one of many simultaneous uploads', async () => {
    const contents = Array.from({ length: 8 }, (_, at) => Buffer.from(`writer ${at}`));
    const won = await Promise.all(
      contents.map((bytes) => mediaStorage(testService).store('race.txt', 'text/plain', bytes)),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await get('race.txt')).body).toBe(`writer ${won.indexOf(true)}`);
  });

  test('does not show what its writer has not finished, and lets it expire', async () => {
    const expires_at = new Date(Date.now() + 1000);
    const half = { key: 'half', path: 'half.txt', type: 'text/plain', length: 3, digest: 'x', modified: new Date() };
    await UploadStore.create(testService, { ...half, expires_at });
    expect((await get('half.txt')).statusCode).toBe(404);
    await UploadStore.updateOne(testService, { key: 'half' }, { $set: { expires_at: new Date(0) } });
    expect(await mediaStorage(testService).store('half.txt', 'text/plain', Buffer.from('new'))).toBe(true);
    expect((await get('half.txt')).body).toBe('new');
  });

  test('finds the names that start alike and removes the named file, with every piece', async () => {
    await mediaStorage(testService).store('gone.txt', 'text/plain', Buffer.from('1'));
    await mediaStorage(testService).store('gone-1.txt', 'text/plain', Buffer.from('2'));
    expect([...(await mediaStorage(testService).pathsStarting('gone'))].sort()).toEqual(['gone-1.txt', 'gone.txt']);
    const before = await UploadPieceStore.countDocuments(testService, {});
    await mediaStorage(testService).remove(['gone.txt', 'gone-1.txt', 'never.txt']);
    expect((await get('gone.txt')).statusCode).toBe(404);
    expect(await UploadPieceStore.countDocuments(testService, {})).toBe(before - 2);
  });
});
