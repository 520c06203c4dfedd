/** @module-tag long */
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, isUnrecorded } from '../support/guarded.ts';
import { query } from '../support/stored.ts';

/** Arguments of 30 MB: the call passes, what is stored of it is small, and what was left out is said. */
const sandbox = useSandbox();

const MOST_STORED = 256 * 1024;

/** A server that counts bytes, and answers each line with how many it had. */
const COUNTING = `
  let bytes = 0;
  let first = '';
  process.stdin.on('data', (chunk) => {
    for (let start = 0; ; ) {
      const end = chunk.indexOf(10, start);
      if (first.length < 100) first += chunk.toString('latin1', start, Math.min(chunk.length, start + 100));
      if (end === -1) return void (bytes += chunk.length - start);
      bytes += end - start;
      console.log(JSON.stringify({ jsonrpc: '2.0', id: Number(/"id":(\\d+)/.exec(first)[1]), result: { bytes } }));
      start = end + 1;
      bytes = 0;
      first = '';
    }
  });`;

it.each([
  ['one text', { text: 'wörter und mehr '.repeat(1_800_000) }, 'input'],
  ['many texts', { list: Array.from({ length: 100_000 }, (_, i) => `${i} `.repeat(45)) }, 'input'],
  ['many keys', Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`key-${i}-${'x'.repeat(110)}`, i])), 'input'],
])('%s', async (_what, args, what) => {
  const line = call(1, args);
  expect(Buffer.byteLength(line)).toBeGreaterThan(20_000_000);
  const server = [process.execPath, sandbox.current.write('counting.mjs', COUNTING)];
  const guarded = new Guarded(sandbox.current, { server });
  const other = new Guarded(sandbox.current, { name: 'other' });
  await other.call(0);
  guarded.send(line, call(2));
  // Whoever else records meanwhile is not denied.
  let asked = 0;
  while (guarded.answers().length < 2 && asked < 2000) {
    expect(isUnrecorded(await other.call(++asked))).toBe(false);
  }
  await guarded.answerTo(2);
  await other.process.close();
  await guarded.process.close();
  expect(guarded.answers().map(({ id, result, error }) => ({ id, result, error }))).toEqual([
    { id: 1, result: { bytes: Buffer.byteLength(line) } },
    { id: 2, result: { bytes: call(2).length } },
  ]);
  const big = sandbox.current.decided().find((event) => event['server_id'] === 's');
  expect(big?.['skipped']).toContainEqual({ what, why: expect.any(String) as string });
  const [row] = query(sandbox.current.storeFile, 'SELECT max(octet_length(body)) AS bytes FROM events');
  expect(Number(row?.['bytes'])).toBeLessThan(MOST_STORED);
});
