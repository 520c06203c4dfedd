import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../src/protocol/llm/typed-frame.ts';
import { OpenCall } from '../../../../src/protocol/llm/anthropic/open-call.ts';

const CALL = {
  id: 'a',
  name: 'n',
  group: undefined,
  args: undefined,
  problem: undefined,
  runBy: 'client',
  server: undefined,
} as const;
const open = (given: string, maxHeld = 20) => {
  const input = given === '' ? '' : `,"input":${given}`;
  const data = `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a", "name":"n"${input}}}`;
  const payload = JSON.parse(data) as Frame['payload'];
  const start: Frame = { type: 'content_block_start', payload, data, id: undefined, retry: undefined, isPlain: true };
  return new OpenCall(CALL, { mode: 'hold', index: 1, out: 2, start, maxHeld });
};

/** What it holds, which it gives away. */
function heldBy(call: OpenCall): string {
  const held: Buffer[] = [];
  call.release((frames) => held.push(frames));
  return Buffer.concat(held).toString('utf8');
}

it('a big call is held as its arguments, and goes on as events that say the same', () => {
  const call = open('{}', 1 << 26);
  const piece = `${'x\u2028é"'.repeat(5000)}🏔`;
  const events: string[] = [];
  for (let index = 0; index < 100; index++) {
    const event = `event: content_block_delta\ndata: ${JSON.stringify({ index, delta: { partial_json: piece } })}\n\n`;
    call.takeInput(piece, () => (events.push(event), event));
  }
  expect(events.length).toBeLessThan(70);
  expect(call.complete().args).toBe(piece.repeat(100));
  const deltas = heldBy(call)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map(
      (line) =>
        JSON.parse(line.slice('data: '.length)) as { readonly index: number; readonly delta: { readonly partial_json: string } },
    );
  expect(deltas.map(({ delta }) => delta.partial_json).join('')).toBe(piece.repeat(100));
  expect(deltas.at(-1)).toMatchObject({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta' } });
});

describe('a call that is being made', () => {
  it('has the arguments that have come', () => {
    const call = open('{}');
    for (const piece of ['', '{"a"', ':1}']) call.addInput(piece);
    const complete = call.complete();
    expect(complete).toMatchObject({ ...CALL, args: '{"a":1}' });
    expect(complete.inHistory?.()).toBe('{"type":"tool_use","id":"a", "name":"n","input":{"a":1}}');
    expect(call.incomplete()).toEqual({ ...CALL, problem: 'incomplete' });
  });

  it('has those that were given, where none have come', () => {
    expect(open('{"a":1}').complete()).toMatchObject({ ...CALL, args: '{"a":1}' });
    expect(open('').complete()).toMatchObject({ ...CALL, args: '{}' });
    expect(open('').complete().inHistory?.()).toBe('{"input":{},"type":"tool_use","id":"a", "name":"n"}');
  });

  it('has none to rely on, where there are two', () => {
    const call = open('{"a":1}');
    call.addInput('{"a":2}');
    expect(call.complete()).toMatchObject({ problem: 'invalid_json' });
  });

  it('holds its events in a row', () => {
    const call = open('');
    call.hold('one ');
    call.hold('two ä');
    expect(heldBy(call)).toBe('one two ä');
    expect(heldBy(call)).toBe('');
  });

  it('has all arguments and events in order, however many there are', () => {
    const call = open('', 1_000_000);
    const numbers = Array.from({ length: 20_000 }, (_, i) => i);
    call.addInput('[');
    for (const i of numbers) {
      call.addInput(`${i},`);
      call.hold(`${i};`);
    }
    call.addInput('0]');
    call.hold('x'.repeat(100_000));
    expect(call.complete().args).toBe(`[${numbers.join(',')},0]`);
    expect(heldBy(call)).toBe(`${numbers.join(';')};${'x'.repeat(100_000)}`);
  });

  it('keeps nothing of what is too long, wherever it is', () => {
    const byEvents = open('');
    byEvents.hold('x'.repeat(20));
    expect(byEvents.isTooLong).toBe(false);
    byEvents.hold('x');
    const byPieces = open('{}');
    for (let i = 0; i < 7; i++) byPieces.addInput('"x"');
    for (const call of [byEvents, byPieces, open(`{"a":"${'x'.repeat(20)}"}`)]) {
      call.addInput('{}');
      call.hold('more');
      expect(call.isTooLong).toBe(true);
      expect(heldBy(call)).toBe('');
      expect(call.complete()).toEqual({ ...CALL, problem: 'too_long' });
    }
  });
});
