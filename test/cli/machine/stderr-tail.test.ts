import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { StderrTail } from '../../../src/cli/machine/stderr-tail.ts';

it('keeps the last lines that say something, and nothing that steers a terminal', async () => {
  const stream = new PassThrough();
  const tail = new StderrTail(stream);
  for (let line = 1; line <= 1000; line++) stream.write(`line ${line}\n\n`);
  stream.end('\u001B[31mred\u001B[0m\r\n');
  await tail.ended(5000);
  expect(tail.lines).toEqual([...[994, 995, 996, 997, 998, 999, 1000].map((line) => `line ${line}`), '[31mred[0m']);
});

it('waits for the end, but not for ever', async () => {
  const tail = new StderrTail(new PassThrough());
  const started = performance.now();
  await tail.ended(50);
  expect(performance.now() - started).toBeGreaterThan(40);
  expect(tail.lines).toEqual([]);
});
