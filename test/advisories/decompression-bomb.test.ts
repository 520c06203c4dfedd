import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { useListener } from '../support/http-listener.ts';

/** A few kilobytes that become hundreds of megabytes. The limit of a body counts what it becomes, and is enforced while it does. */
const listening = useListener();

const MEGABYTES = 128;
const zeros = Buffer.alloc(MEGABYTES * 1024 * 1024);

const bombs: [encoding: string, body: Buffer][] = [
  ['gzip', gzipSync(zeros)],
  ['deflate', deflateSync(zeros)],
  ['br', brotliCompressSync(zeros, { params: { 1: 1 } })],
  ['zstd', zstdCompressSync(zeros)],
  ['gzip, gzip', gzipSync(gzipSync(zeros))],
];

it.each(bombs)('%s', async (encoding, body) => {
  const { listener, seen } = listening.current;
  const before = process.memoryUsage().rss;
  const response = await fetch(listener.origin, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { 'content-encoding': encoding },
  });
  expect(response.status).toBe(413);
  expect(seen).toEqual([]);
  expect(process.memoryUsage().rss - before).toBeLessThan((MEGABYTES / 2) * 1024 * 1024);
});
