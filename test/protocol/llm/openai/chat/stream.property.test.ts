import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NameVerdict } from '../../../../../src/protocol/llm/dialect.ts';
import { createChatStream } from '../../../../../src/protocol/llm/openai/chat/stream.ts';
import { SseSplitter } from '../../../../../src/protocol/sse/splitter.ts';
import { accumulateChat } from '../../../../support/chat-accumulator.ts';
import { begin, callChunks, chunk, DONE, finish, said, usage } from '../../../../support/chat-chunks.ts';
import { driveModelStream } from '../../../../support/drive-model-stream.ts';
import { runs } from '../../../../support/runs.ts';

/** In every argument, and nowhere else. */
const MARK = 'Q7zX';

interface PlannedCall {
  readonly mode: NameVerdict;
  readonly isDenied: boolean;
  readonly value: string;
  readonly name: string;
  readonly piece: number;
}

interface PlannedChoice {
  readonly words: readonly string[];
  readonly calls: readonly PlannedCall[];
  readonly reason: string;
  /** Which list of frames goes on next, over and over. */
  readonly turns: readonly number[];
}

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\\', '\n', 'é', '🏔', '\u2028', '{', '}'),
  minLength: 1,
  maxLength: 12,
});

const call: fc.Arbitrary<PlannedCall> = fc
  .record({
    mode: fc.constantFrom<NameVerdict>('allow', 'deny', 'hold'),
    isDenied: fc.boolean(),
    value: text,
    name: fc.constantFrom('read', 'write', 'run "it"'),
    piece: fc.integer({ min: 1, max: 9 }),
  })
  // What streams on live and is denied then ends the stream, which has a test of its own.
  .map((plan) => ({ ...plan, isDenied: plan.mode === 'deny' || (plan.mode === 'hold' && plan.isDenied) }));

const choice: fc.Arbitrary<PlannedChoice> = fc.record({
  words: fc.array(text, { maxLength: 4 }),
  calls: fc.array(call, { maxLength: 4 }),
  reason: fc.constantFrom('tool_calls', 'stop', 'length', 'content_filter'),
  turns: fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }),
});

const idOf = (index: number, at: number): string => `id_${index}_${at}`;
const argsOf = (id: string, value: string): string => JSON.stringify({ [MARK]: value, id });

/** All frames of several lists, each list in its order, in turns. */
function weave(lists: readonly (readonly string[])[], turns: readonly number[]): readonly string[] {
  const left = lists.map((list) => [...list]).filter(({ length }) => length > 0);
  const woven: string[] = [];
  for (let turn = 0; left.length > 0; turn++) {
    const at = (turns[turn % turns.length] as number) % left.length;
    woven.push((left[at] as string[]).shift() as string);
    if ((left[at] as string[]).length === 0) left.splice(at, 1);
  }
  return woven;
}

function framesOf({ words, calls, reason, turns }: PlannedChoice, index: number): readonly string[] {
  const lists = calls.map(({ name, value, piece }, at) => {
    const id = idOf(index, at);
    return callChunks(at, { id, name, args: argsOf(id, value), piece }, index);
  });
  // Calls begin in order, as their indices say.
  const begun = lists.map(([first]) => first as string);
  const rest = lists.map((list) => list.slice(1));
  return [begin(index), ...begun, ...weave([words.map((each) => said(each, index)), ...rest], turns), finish(reason, index)];
}

describe('a stream', () => {
  it('is the original without the denied calls and with the notes, however it is cut and whenever answers come', () => {
    fc.assert(
      fc.property(
        fc.array(choice, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(9), { minLength: 1, maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom<'at once' | 'next chunk' | 'after the end'>('at once', 'next chunk', 'after the end'),
        (planned, turns, lengths, answers) => {
          const original = [...weave(planned.map(framesOf), turns), usage(), DONE].join('');
          const of = (id: string) => {
            const [, index, at] = id.split('_').map(Number);
            return planned[index ?? 0]?.calls[at ?? 0] as PlannedCall;
          };
          const driven = driveModelStream(chunksOf(original, lengths), {
            create: createChatStream,
            nameVerdict: ({ id }) => of(id).mode,
            verdict: ({ id }) => (of(id).isDenied ? { isAllowed: false, note: `note on ${id}` } : { isAllowed: true }),
            answers,
          });
          expect(driven.fault).toBeUndefined();
          const made = accumulateChat(driven.text);
          const before = accumulateChat(original.replaceAll('\u2028', '\\u2028'));
          for (const [index, { calls, words, reason }] of planned.entries()) {
            const notes = calls.flatMap(({ isDenied }, at) => (isDenied ? [`note on ${idOf(index, at)}`] : []));
            const isNothingLeft = calls.length > 0 && notes.length === calls.length;
            const whole = before.choices[index];
            // Live ones have their places before the others are decided.
            const left = whole?.toolCalls.filter(({ id }) => !of(id).isDenied) ?? [];
            const live = left.filter(({ id }) => of(id).mode === 'allow');
            expect(made.choices[index]).toEqual({
              ...whole,
              content: [...(words.length === 0 ? [] : [words.join('')]), ...notes].join('\n\n'),
              toolCalls: [...live, ...left.filter((each) => !live.includes(each))],
              finish: isNothingLeft && reason === 'tool_calls' ? 'stop' : reason,
            });
          }
          expect([made.rest, made.usage, made.isFinished]).toEqual([before.rest, before.usage, true]);
          const all = planned.flatMap(({ calls }, index) => calls.map((each, at) => ({ ...each, id: idOf(index, at) })));
          // By the order of their ids: choices end in any order.
          expect(driven.asked.map(({ args }) => args).toSorted()).toEqual(
            all.map(({ id, value }) => argsOf(id, value)).toSorted(),
          );
          // Not a byte of what a denied call says, and all bytes of it where nothing is denied.
          for (const { id, isDenied } of all) expect(driven.text.includes(`"${id}"`)).toBe(!isDenied);
          if (all.every(({ isDenied }) => isDenied)) expect(driven.text).not.toContain(MARK);
          // What comes of other choices passes those that are asked about.
          const isLive = answers === 'at once' && all.every(({ mode }) => mode === 'allow') && !original.includes('\u2028');
          expect(driven.text === original || !isLive).toBe(true);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('gives out no denied call and no event that readers differ on, whatever comes', () => {
    const line = fc.oneof(
      text,
      fc.constantFrom('event: ping', 'data: {"type":"ping"}', 'data: [DONE]', 'data:', 'data: {"choices":[]}', '', '', ''),
      fc
        .constantFrom(
          chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'n', arguments: MARK } }] }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: MARK } }] }),
          chunk({ tool_calls: [{ function: { name: 'n', arguments: MARK } }] }, { finish: 'tool_calls' }),
          chunk({ tool_calls: [{ index: 1, id: 'b', custom: { name: 'n', input: MARK } }] }, { index: 1 }),
          chunk({ role: 'assistant', function_call: { name: 'n', arguments: MARK } }),
          finish('tool_calls'),
          finish('stop', 1),
        )
        .map((each) => each.trim()),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom<NameVerdict>('deny', 'hold'), (lines, mode) => {
        const driven = driveModelStream([Buffer.from(`${lines.join('\n')}\n\n`)], {
          create: createChatStream,
          nameVerdict: () => mode,
          verdict: () => ({ isAllowed: false, note: 'no' }),
        });
        expect(driven.text).not.toMatch(/Q7zX|"name":"n"/);
        const splitter = new SseSplitter({ maxFrame: 1 << 20 });
        splitter.push(Buffer.from(driven.text), ({ data, event, isPlain }) => {
          expect([data === undefined || isPlain, event]).toEqual([true, undefined]);
        });
      }),
      { numRuns: runs(400) },
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
