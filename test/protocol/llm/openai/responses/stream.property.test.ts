import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NameVerdict } from '../../../../../src/protocol/llm/dialect.ts';
import { createResponsesStream } from '../../../../../src/protocol/llm/openai/responses/stream.ts';
import { SseSplitter } from '../../../../../src/protocol/sse/splitter.ts';
import { driveModelStream } from '../../../../support/drive-model-stream.ts';
import { accumulateResponse } from '../../../../support/response-accumulator.ts';
import {
  begun,
  call,
  completed,
  custom,
  frame,
  type Item,
  itemEvents,
  message,
  numbered,
  REASONING,
  shell,
  type WireEvent,
} from '../../../../support/response-events.ts';
import { runs } from '../../../../support/runs.ts';

/** In every argument, and nowhere else. */
const MARK = 'Q7zX';

interface PlannedItem {
  readonly kind: 'text' | 'reasoning' | 'function' | 'custom' | 'shell';
  readonly mode: NameVerdict;
  readonly isDenied: boolean;
  readonly value: string;
  readonly piece: number;
}

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\\', '\n', 'é', '🏔', '\u2028', '{', '}'),
  minLength: 1,
  maxLength: 12,
});

const planned: fc.Arbitrary<PlannedItem> = fc
  .record({
    kind: fc.constantFrom<PlannedItem['kind']>('text', 'reasoning', 'function', 'custom', 'shell'),
    mode: fc.constantFrom<NameVerdict>('allow', 'deny', 'hold'),
    isDenied: fc.boolean(),
    value: text,
    piece: fc.integer({ min: 1, max: 9 }),
  })
  // What streams on live and is denied then ends the stream, which has a test of its own.
  .map((plan) => ({ ...plan, isDenied: plan.mode === 'deny' || (plan.mode === 'hold' && plan.isDenied) }));

function itemOf({ kind, value }: PlannedItem, at: number): Item {
  const ids = { id: `it_${at}`, call_id: `call_${at}` };
  if (kind === 'text') return message(value, ids.id);
  if (kind === 'reasoning') return { ...REASONING, id: ids.id };
  if (kind === 'function') return call('read', JSON.stringify({ [MARK]: value }), ids);
  return kind === 'custom' ? custom('run', `${MARK}${value}`, ids) : shell([`${MARK} ${value}`, MARK], ids);
}

const isCall = ({ kind }: PlannedItem): boolean => kind !== 'text' && kind !== 'reasoning';

describe('a stream', () => {
  it('is the original with notes in place of the denied calls, however it is cut and whenever answers come', () => {
    fc.assert(
      fc.property(
        fc.array(planned, { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom<'at once' | 'next chunk' | 'after the end'>('at once', 'next chunk', 'after the end'),
        (plans, lengths, answers) => {
          const items = plans.map(itemOf);
          const events = items.flatMap((item, index) => itemEvents(item, index, plans[index]?.piece));
          const original = numbered([...begun(), ...events, completed(items)]);
          const of = (id: string) => plans[Number(id.split('_')[1])] as PlannedItem;
          const driven = driveModelStream(chunksOf(original, lengths), {
            create: createResponsesStream,
            nameVerdict: ({ id }) => of(id).mode,
            verdict: ({ id }) => (of(id).isDenied ? { isAllowed: false, note: `note on ${id}` } : { isAllowed: true }),
            answers,
          });
          expect(driven.fault).toBeUndefined();
          const made = accumulateResponse(driven.text);
          const isDenied = (plan: PlannedItem): boolean => isCall(plan) && plan.isDenied;
          const expected = items.map((item, at) =>
            isDenied(plans[at] as PlannedItem)
              ? expect.objectContaining({ type: 'message', content: [expect.objectContaining({ text: `note on call_${at}` })] })
              : item,
          );
          expect(made.items).toEqual(expected);
          expect(made.output).toEqual(made.items);
          expect(driven.asked).toHaveLength(plans.filter(isCall).length);
          expect(driven.asked.every(({ problem }) => problem === undefined)).toBe(true);
          for (const [at, plan] of plans.entries()) {
            if (isDenied(plan)) expect(driven.text).not.toContain(`"call_${at}"`);
          }
          if (plans.every((plan) => !isCall(plan) || isDenied(plan))) expect(driven.text).not.toContain(MARK);
          const isLive = plans.every((plan) => !isCall(plan) || plan.mode === 'allow');
          if (isLive && answers === 'at once' && !original.includes('\u2028')) expect(driven.text).toBe(original);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('gives out no denied call and no event that readers differ on, whatever comes', () => {
    const secret = call('n', `{"a":"${MARK}"}`);
    const parts: readonly WireEvent[] = [
      ...begun(),
      ...begun([secret]),
      ...itemEvents(secret, 0),
      ...itemEvents(custom('n', MARK), 1),
      ...itemEvents(shell([MARK], { name: 'n' }), 1),
      ...itemEvents(message('So.'), 0),
      completed([secret]),
      completed([]),
      { type: 'response.thing', output_index: 0, command: MARK },
      { type: 'response.thing', output_index: 0, item: secret },
      { type: 'error', item: secret },
      { type: 'keepalive' },
    ];
    const line = fc.oneof(
      text,
      fc.constantFrom('event: ping', 'data: [DONE]', 'data:', 'data: {}', '', '', ''),
      fc.constantFrom(...parts).map((event) => frame(event).trim()),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom<NameVerdict>('deny', 'hold'), (lines, mode) => {
        const driven = driveModelStream([Buffer.from(`${lines.join('\n\n')}\n\n`)], {
          create: createResponsesStream,
          nameVerdict: () => mode,
          verdict: () => ({ isAllowed: false, note: 'no' }),
        });
        expect(driven.text).not.toMatch(/Q7zX|"name":"n"/);
        const splitter = new SseSplitter({ maxFrame: 1 << 20 });
        splitter.push(Buffer.from(driven.text), ({ data, isPlain }) => {
          expect(data === undefined || isPlain).toBe(true);
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
