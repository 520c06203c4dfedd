import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { SseSplitter } from '../../../src/protocol/sse/splitter.ts';
import { TickWriter } from '../../../src/transport/http/tick-writer.ts';

/** What is written, and when: everything that a writer needs of a response. */
function setUp(): { writes: string[]; response: { destroyed: boolean; writableNeedDrain: boolean }; writer: TickWriter } {
  const writes: string[] = [];
  const response = {
    destroyed: false,
    writableNeedDrain: false,
    write: (chunk: Buffer) => {
      writes.push(chunk.toString());
      return true;
    },
  };
  return { writes, response, writer: new TickWriter(response as unknown as ServerResponse) };
}

const BYTES = Buffer.from('abcdefghij');

it('writes what a turn brings in one go, in its order', async () => {
  const { writes, writer } = setUp();
  writer.bytes(BYTES, 0, 2);
  writer.bytes(BYTES, 2, 4);
  writer.text('-');
  writer.bytes(BYTES, 4, 6);
  writer.bytes(BYTES, 8, 9);
  writer.bytes(Buffer.from('xyz'), 1, 3);
  expect(writes).toEqual([]);
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toEqual(['abcd-efiyz']);
  writer.text('later');
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toEqual(['abcd-efiyz', 'later']);
});

it('writes events as they came, also those whose memory is used again in the same turn', async () => {
  const { writes, writer } = setUp();
  const splitter = new SseSplitter({ maxFrame: 1000 });
  const chunks = ['data: a\n\ndata: b', '\n\ndata: c', '\n\ndata: d\n\n'];
  for (const chunk of chunks) splitter.push(Buffer.from(chunk), (event) => writer.event(event));
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toEqual([chunks.join('')]);
});

it('writes at once where it is told to, and never twice', async () => {
  const { writes, writer } = setUp();
  writer.bytes(BYTES, 0, 3);
  writer.flush();
  writer.flush();
  expect(writes).toEqual(['abc']);
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toEqual(['abc']);
});

it('keeps no more than some kilobytes', () => {
  const { writes, writer } = setUp();
  for (let count = 0; count < 100; count++) writer.text('x'.repeat(1000));
  expect(writes).toHaveLength(1);
  expect(writes[0]?.length).toBe(66_000);
});

it('writes many events at once without a copy of them, in their order', async () => {
  const { writes, writer } = setUp();
  const many = Buffer.from('m'.repeat(5000));
  writer.text('before');
  writer.bytes(many, 0, 4998);
  writer.text('after');
  writer.bytes(many, 0, 5000);
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toEqual(['before', 'm'.repeat(4998), 'after', 'm'.repeat(5000)]);
});

it('writes nothing to a response that is gone', async () => {
  const { writes, writer, response } = setUp();
  writer.text('a');
  response.destroyed = true;
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toEqual([]);
});

it('tells when its reader is behind', () => {
  const { writer, response } = setUp();
  expect(writer.isFull).toBe(false);
  response.writableNeedDrain = true;
  expect(writer.isFull).toBe(true);
});
