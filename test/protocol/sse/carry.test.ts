import { expect, it } from 'vitest';
import { Carry } from '../../../src/protocol/sse/carry.ts';

it('joins what it is given, and begins anew after it was taken', () => {
  const carry = new Carry();
  const bytes = Buffer.from('abcdef');
  carry.add(bytes, 0, 2);
  carry.add(bytes, 4, 6);
  expect(carry.last).toBe(0x66);
  expect(carry.take().toString()).toBe('abef');
  expect([carry.length, carry.last]).toEqual([0, undefined]);
  carry.add(bytes, 2, 3);
  expect(carry.take().toString()).toBe('c');
});

it('uses its memory again, and gives big memory back when many frames did not need it', () => {
  const carry = new Carry();
  const big = Buffer.alloc(300_000, 'x');
  carry.add(big, 0, big.length);
  const first = carry.take();
  carry.rest(first.length);
  const takeSmall = (): Buffer => {
    carry.add(big, 0, 1);
    const taken = carry.take();
    carry.rest(taken.length);
    return taken;
  };
  expect(takeSmall().buffer).toBe(first.buffer);
  for (let i = 0; i < 1023; i++) takeSmall();
  expect(first.buffer.byteLength).toBe(0);
  expect(takeSmall().buffer.byteLength).toBeLessThan(big.length);
});

it('grows in place once it is big', () => {
  const carry = new Carry();
  const bytes = Buffer.alloc(300_000, 'x');
  carry.add(bytes, 0, bytes.length);
  const first = carry.take();
  for (let i = 0; i < 20; i++) carry.add(Buffer.alloc(300_000, i), 0, bytes.length);
  const all = carry.take();
  expect(all.buffer).toBe(first.buffer);
  expect([all.length, all[0], all.at(-1)]).toEqual([6_000_000, 0, 19]);
  carry.clear();
  expect(first.buffer.byteLength).toBe(0);
});

it('doubles its memory, so that single bytes are not copied once for each', () => {
  const carry = new Carry();
  for (let i = 0; i < 40_000; i++) carry.add(Buffer.of(i & 0xff), 0, 1);
  const taken = carry.take();
  expect(taken.every((byte, i) => byte === (i & 0xff))).toBe(true);
  expect(taken.buffer.byteLength).toBe(64 * 1024);
});
