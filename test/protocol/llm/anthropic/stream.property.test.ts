import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NameVerdict } from '../../../../src/protocol/llm/dialect.ts';
import { createAnthropicStream } from '../../../../src/protocol/llm/anthropic/stream.ts';
import { SseSplitter } from '../../../../src/protocol/sse/splitter.ts';
import { accumulateMessage } from '../../../support/anthropic-accumulator.ts';
import { type BlockPlan, callBlock, stream, textBlock, thinkingBlock } from '../../../support/anthropic-events.ts';
import { driveModelStream } from '../../../support/drive-model-stream.ts';

/** In every argument, and nowhere else. */
const MARK = 'Q7zX';

interface Planned {
  readonly block: (id: string) => BlockPlan;
  readonly isCall: boolean;
  readonly isDenied: boolean;
  readonly mode: NameVerdict;
}

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\\', '\n', 'é', '🏔', '\u2028', '{', '}'),
  minLength: 1,
  maxLength: 12,
});
const said: fc.Arbitrary<Planned> = fc.tuple(text, fc.boolean()).map(([words, isText]) => ({
  block: () => (isText ? textBlock(words) : thinkingBlock(words)),
  isCall: false,
  isDenied: false,
  mode: 'allow',
}));
const call: fc.Arbitrary<Planned> = fc
  .record({
    mode: fc.constantFrom<NameVerdict>('allow', 'deny', 'hold'),
    isDenied: fc.boolean(),
    value: text,
    piece: fc.integer({ min: 1, max: 9 }),
    name: fc.constantFrom('read', 'write', 'run "it"'),
  })
  .map(({ mode, isDenied, value, piece, name }) => ({
    // What streams on live and is denied then ends the stream, which has a test of its own.
    isDenied: mode === 'deny' || (mode === 'hold' && isDenied),
    mode,
    isCall: true,
    block: (id) => callBlock(id, name, JSON.stringify({ [MARK]: value, id }), piece),
  }));

describe('a stream', () => {
  it('is the original without the denied calls and with the notes, however it is cut and whenever answers come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(said, call), { maxLength: 6 }),
        fc.constantFrom('tool_use', 'end_turn', 'max_tokens', 'refusal'),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom<'at once' | 'next chunk' | 'after the end'>('at once', 'next chunk', 'after the end'),
        (planned, reason, lengths, answers) => {
          const original = stream(
            planned.map(({ block }, at) => block(`id_${at}`)),
            reason,
          );
          const of = (id: string) => planned[Number(id.slice(3))] as Planned;
          const driven = driveModelStream(chunksOf(original, lengths), {
            create: createAnthropicStream,
            nameVerdict: ({ id }) => of(id).mode,
            verdict: ({ id }) => (of(id).isDenied ? { isAllowed: false, note: `note on ${id}` } : { isAllowed: true }),
            answers,
          });
          const made = accumulateMessage(driven.text);
          const before = accumulateMessage(original.replaceAll('\u2028', '\\u2028'));
          const calls = planned.filter(({ isCall }) => isCall);
          expect(driven.fault).toBeUndefined();
          expect(made.content).toEqual(
            before.content.map((block, at) =>
              planned[at]?.isDenied === true ? { type: 'text', text: `note on id_${at}` } : block,
            ),
          );
          expect(made.rest).toEqual(before.rest);
          expect(made.usage).toEqual(before.usage);
          expect(made.isFinished).toBe(true);
          const isNothingLeft = calls.length > 0 && calls.every(({ isDenied }) => isDenied);
          expect(made.stopReason).toBe(isNothingLeft && reason === 'tool_use' ? 'end_turn' : reason);
          expect(driven.asked.map(({ args }) => args)).toEqual(
            before.content.flatMap((block, at) => (planned[at]?.isCall === true ? [JSON.stringify(block['input'])] : [])),
          );
          // Not a byte of what a denied call says, and all bytes of it where nothing is denied.
          if (isNothingLeft) expect(driven.text).not.toMatch(/input_json_delta|Q7zX/);
          if (calls.every(({ mode }) => mode === 'allow') && !original.includes('\u2028')) expect(driven.text).toBe(original);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives out no denied call and no event that readers differ on, whatever comes', () => {
    const line = fc.oneof(
      text,
      fc.constantFrom(
        'event: content_block_start',
        'event: ping',
        'data: {"type":"ping"}',
        'data: {"type":"message_stop"}',
        '',
        '',
      ),
      fc.constantFrom(
        'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"n","input":{}}}',
        'data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"Q7zX"}}',
        'data: {"type":"content_block_stop","index":0}',
        'data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom<NameVerdict>('deny', 'hold'), (lines, mode) => {
        const driven = driveModelStream([Buffer.from(`${lines.join('\n')}\n\n`)], {
          create: createAnthropicStream,
          nameVerdict: () => mode,
          verdict: () => ({ isAllowed: false, note: 'no' }),
        });
        expect(driven.text).not.toMatch(/"tool_use","id"/);
        const splitter = new SseSplitter({ maxFrame: 1 << 20 });
        splitter.push(Buffer.from(driven.text), ({ data, dataStart, dataEnd, event, isPlain }) => {
          if (data === undefined) return;
          expect(isPlain).toBe(true);
          expect(JSON.parse(data.toString('utf8', dataStart, dataEnd))).toHaveProperty('type', event);
        });
      }),
      { numRuns: 300 },
    );
  });
});

function chunksOf(source: string, lengths: readonly number[]): readonly Buffer[] {
  const bytes = Buffer.from(source);
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] as number;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}
