import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NameVerdict } from '../../../../src/protocol/llm/dialect.ts';
import { NO_SIGNATURE } from '../../../../src/protocol/llm/gemini/noted-part.ts';
import { createGeminiStream } from '../../../../src/protocol/llm/gemini/stream.ts';
import { driveModelStream } from '../../../support/drive-model-stream.ts';
import { accumulateArray, accumulateSse } from '../../../support/gemini-accumulator.ts';
import { call, finish, type GeminiPart, jsonArray, payload, pieces, sse, text } from '../../../support/gemini-events.ts';
import { runs } from '../../../support/runs.ts';

/** In every argument, and nowhere else. */
const MARK = 'Q7zX';

const words = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\\', '\n', 'é', '🏔', '\u2028', '{', '}', '[', ','),
  minLength: 1,
  maxLength: 12,
});

interface Planned {
  readonly kind: 'text' | 'call' | 'pieces';
  readonly value: string;
  readonly mode: NameVerdict;
  readonly isDenied: boolean;
  readonly isSigned: boolean;
  readonly isAlone: boolean;
}

const plan: fc.Arbitrary<Planned> = fc
  .record({
    kind: fc.constantFrom<Planned['kind']>('text', 'call', 'pieces'),
    value: words,
    mode: fc.constantFrom<NameVerdict>('deny', 'hold'),
    isNo: fc.boolean(),
    isSigned: fc.boolean(),
    isAlone: fc.boolean(),
  })
  .map(({ isNo, ...planned }) => ({ ...planned, isDenied: planned.mode === 'deny' || isNo }));

/** The parts that a planned one comes in. */
function partsOf({ kind, value, isSigned }: Planned, id: string): readonly GeminiPart[] {
  if (kind === 'text') return [text(value)];
  if (kind === 'pieces') return pieces('read', { id, path: `$.${MARK}`, value });
  return [call('read', { [MARK]: value }, { id, ...(isSigned ? { signature: `sig ${id}` } : {}) })];
}

/** The same as a client has it in the end. */
function expectedOf(plans: readonly Planned[]): readonly GeminiPart[] {
  let isGone = false;
  let hasCall = false;
  return plans.map((planned, at) => {
    const id = `id_${at}`;
    const { kind, value, isDenied } = planned;
    if (kind === 'text') return text(value);
    const isSigned = planned.isSigned && kind === 'call';
    const signature = isSigned ? { thoughtSignature: `sig ${id}` } : {};
    if (isDenied) {
      isGone ||= isSigned && !hasCall;
      return { text: `note on ${id}`, ...signature };
    }
    const sentinel = isGone && !hasCall && !isSigned ? { thoughtSignature: NO_SIGNATURE } : signature;
    hasCall = true;
    return { functionCall: { id, name: 'read', args: { [MARK]: value } }, ...sentinel };
  });
}

/** Pieces put together, as clients do that know them. */
function assemble(parts: readonly GeminiPart[]): readonly GeminiPart[] {
  const whole: Record<string, unknown>[] = [];
  for (const part of parts) {
    const { functionCall, ...rest } = part as { functionCall?: Record<string, unknown> };
    const last = whole.at(-1)?.['functionCall'] as { args: Record<string, string> } | undefined;
    if (functionCall === undefined) whole.push(part);
    else if (functionCall['name'] !== undefined) {
      const { willContinue: _more, ...own } = functionCall;
      whole.push({ functionCall: { args: {}, ...own }, ...rest });
    } else
      for (const { stringValue } of (functionCall['partialArgs'] ?? []) as { stringValue: string }[])
        if (last !== undefined) last.args[MARK] = (last.args[MARK] ?? '') + stringValue;
  }
  return whole;
}

describe('a stream', () => {
  it.each([
    ['events', 'sse', sse, accumulateSse],
    ['an array', 'json_array', jsonArray, accumulateArray],
  ] as const)('of %s is the original without the denied calls and with the notes', (_what, framing, format, follow) => {
    fc.assert(
      fc.property(
        fc.array(plan, { maxLength: 6 }),
        fc.constantFrom('STOP', 'MAX_TOKENS', 'UNEXPECTED_TOOL_CALL'),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom<'at once' | 'next chunk' | 'after the end'>('at once', 'next chunk', 'after the end'),
        (plans, reason, lengths, answers) => {
          const events: GeminiPart[][] = [[]];
          for (const [at, planned] of plans.entries()) {
            for (const part of partsOf(planned, `id_${at}`)) {
              if (planned.isAlone || events.at(-1)?.length === 0) events.push([part]);
              else events.at(-1)?.push(part);
            }
          }
          const filled = events.filter((parts) => parts.length > 0).map((parts) => payload(parts));
          const original = format([...filled, finish(reason)]);
          const of = (id: string) => plans[Number(id.slice(3))] as Planned;
          const driven = driveModelStream(chunksOf(original, lengths), {
            create: createGeminiStream,
            framing,
            nameVerdict: ({ id }) => of(id).mode,
            verdict: ({ id }) => (of(id).isDenied ? { isAllowed: false, note: `note on ${id}` } : { isAllowed: true }),
            answers,
          });
          const made = follow(driven.text);
          expect(driven.fault).toBeUndefined();
          expect(assemble(made.candidates[0] ?? [])).toEqual(expectedOf(plans));
          expect(made.rest).toEqual(follow(original).rest);
          expect(made.finishReasons).toEqual([reason]);
          const calls = plans.filter(({ kind }) => kind !== 'text');
          expect(driven.asked.map(({ args }) => JSON.parse(args ?? ''))).toEqual(calls.map(({ value }) => ({ [MARK]: value })));
          // Not a byte of what a denied call says, and all bytes where nothing is denied.
          if (calls.every(({ isDenied }) => isDenied)) expect(driven.text).not.toMatch(/Q7zX|partialArgs|functionCall/);
          const isDoubtful = framing === 'sse' && original.includes('\u2028');
          if (calls.every(({ isDenied }) => !isDenied) && !isDoubtful) expect(plain(driven.text)).toBe(plain(original));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('gives out no denied call and no event that readers differ on, whatever comes', () => {
    const line = fc.oneof(
      words,
      fc.constantFrom('event: x', ': so', '', '', '', 'data: {}', '{"error":{"code":1}}', 'data: [DONE]', 'id: 1'),
      fc.constantFrom(
        'data: {"candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{"name":"n","args":{"a":"Q7zX"}}}]}}]}',
        'data: {"candidates":[{"content":{"parts":[{"function_call":{"name":"n","args":{"a":"Q7zX"}}}]}}]}',
        'data: {"candidates":[{"content":{"parts":[{"functioncall":{"name":"n","args":{"a":"Q7zX"}}}]}}]}',
        'data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"n","willContinue":true}}]}}]}',
        'data: {"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"Q7zX"}],"willContinue":true}}]}}]}',
        'data: {"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}',
        'data: {"response":{"candidates":[{"content":{"parts":[{"functionCall":{"name":"n","args":{"a":"Q7zX"}}}]}}]}}',
        'data: {"candidates":[{"content":{"parts":[{"toolCall":{"toolType":"X","args":{"a":"Q7zX"}}}]}}]}',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom<NameVerdict>('deny', 'hold'), (lines, mode) => {
        const driven = driveModelStream([Buffer.from(`${lines.join('\n')}\n\n`)], {
          create: createGeminiStream,
          nameVerdict: () => mode,
          verdict: () => ({ isAllowed: false, note: 'no' }),
        });
        expect(driven.text).not.toContain('Q7zX');
        for (const [, data = ''] of driven.text.matchAll(/^data:(?! \[DONE\])(.*)$/gm))
          expect(JSON.parse(data)).toBeTypeOf('object');
        expect(driven.text).not.toMatch(/^(?:event|id)/m);
      }),
      { numRuns: runs(500) },
    );
  });
});

/** Without what a line end that is cut in two changes: the event is written anew then. */
function plain(stream: string): string {
  return stream
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

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
