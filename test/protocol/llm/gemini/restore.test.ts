import { describe, expect, it } from 'vitest';
import type { DeniedCall, DeniedCalls } from '../../../../src/protocol/llm/model-api.ts';
import { NO_SIGNATURE } from '../../../../src/protocol/llm/gemini/noted-part.ts';
import { formatNote, MARKED_NOTE, whyOf } from '../../../../src/protocol/llm/note.ts';
import { restoreCalls } from '../../../../src/protocol/llm/gemini/restore.ts';
import { call, type GeminiPart, text } from '../../../support/gemini-events.ts';

interface Denied extends DeniedCall {
  readonly part: GeminiPart;
}

function deny(name: string, more: { readonly id?: string; readonly signature?: string } = {}): Denied {
  const part = call(name, { path: '/a' }, more);
  return { id: more.id ?? '', name, text: JSON.stringify(part), note: formatNote(`No "${name}".`, name.padEnd(16, '_')), part };
}

/** As whoever keeps them would find their notes. */
function deniedOf(...calls: readonly DeniedCall[]): DeniedCalls {
  const all = (said: string) =>
    calls
      .flatMap((one) =>
        [...said.matchAll(new RegExp(RegExp.escape(one.note), 'g'))].map(({ index }) => ({
          call: one,
          start: index,
          end: index + one.note.length,
        })),
      )
      .toSorted((a, b) => a.start - b.start);
  return { notedIn: all, ofAnswer: () => [], ofMark: () => undefined, isDenied: () => false };
}

const A = deny('read', { id: 'c1', signature: 'sig' });
const B = deny('edit');
const ALL = deniedOf(A, B);
const KEPT = call('write', { to: '/b' }, { id: 'c2' });
const model = (...parts: readonly GeminiPart[]) => ({ role: 'model', parts });
const user = (...parts: readonly GeminiPart[]) => ({ role: 'user', parts });
const result = (name: string, id?: string, response: object = { output: 1 }) => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response },
});
const no = ({ name, id, note }: DeniedCall) => result(name, id === '' ? undefined : id, { error: whyOf(note) });
const note = ({ note: words }: DeniedCall, signature?: string) => ({
  text: words,
  ...(signature === undefined ? {} : { thoughtSignature: signature }),
});
const HI = user(text('hi'));
const restore = (contents: readonly object[], denied = ALL): unknown => {
  const restored = restoreCalls(JSON.stringify({ contents, tools: [] }), denied);
  const { contents: made, tools } = JSON.parse(restored) as { contents: unknown; tools: unknown };
  expect(tools).toEqual([]);
  return made;
};

describe('hazard 31: a denied call is in the history again', () => {
  it.each<[string, readonly object[], readonly object[]]>([
    [
      'with a result of its own',
      [HI, model(note(A, 'sig')), user(text('go on'))],
      [HI, model(A.part), user(no(A)), user(text('go on'))],
    ],
    ['at the end', [HI, model(note(A))], [HI, model(A.part), user(no(A))]],
    ['behind what else was said', [model(text('so'), note(A, 'sig')), HI], [model(text('so'), A.part), user(no(A)), HI]],
    ['out of a longer text', [model(text(`so ${B.note} then`)), HI], [model(text('so  then'), B.part), user(no(B)), HI]],
    ['without white space that is left', [model(text(`\n${B.note}\n`)), HI], [model(B.part), user(no(B)), HI]],
    ['two of one text', [model(text(`${A.note}${B.note}`)), HI], [model(A.part, B.part), user(no(A), no(B)), HI]],
    [
      'before the one that is left, with its result',
      [model(note(A, 'sig'), { ...KEPT, thoughtSignature: NO_SIGNATURE }), user(result('write', 'c2'), text('x'))],
      [model(A.part, KEPT), user(no(A), result('write', 'c2'), text('x'))],
    ],
    [
      'after the one that is left',
      [model(KEPT, note(B)), user(result('write', 'c2'), text('x'))],
      [model(KEPT, B.part), user(result('write', 'c2'), no(B), text('x'))],
    ],
    [
      'between those that are left, which have no ids',
      [model(call('x', {}), note(B), call('x', {}), note(A)), { role: 'function', parts: [result('x'), result('x')] }],
      [
        model(call('x', {}), B.part, call('x', {}), A.part),
        { role: 'function', parts: [result('x'), no(B), result('x'), no(A)] },
      ],
    ],
    [
      'in a turn of several contents, as chats have them',
      [HI, model(text('so')), model(note(A, 'sig')), model(KEPT), model(text('')), user(result('write', 'c2'))],
      [HI, model(text('so')), model(A.part), model(KEPT), model(text('')), user(no(A), result('write', 'c2'))],
    ],
    [
      'where results are in contents of their own',
      [model(note(A), KEPT, call('y', {}, { id: 'c3' })), user(result('write', 'c2')), user(result('y', 'c3'))],
      [model(A.part, KEPT, call('y', {}, { id: 'c3' })), user(no(A), result('write', 'c2')), user(result('y', 'c3'))],
    ],
    [
      'in each of several turns',
      [model(note(A)), HI, model(note(B)), HI],
      [model(A.part), user(no(A)), HI, model(B.part), user(no(B)), HI],
    ],
    [
      'where the client has a result for it already',
      [model(note(A), KEPT), user(result('read', 'c1'), result('write', 'c2'))],
      [model(A.part, KEPT), user(result('read', 'c1'), result('write', 'c2'))],
    ],
  ])('%s', (_where, contents, restored) => {
    expect(restore(contents)).toEqual(restored);
  });

  it('a signature that was moved goes back, and one that was not stays', () => {
    const moved = restore([model({ text: `so ${A.note}`, thoughtSignature: 'sig' }), HI]);
    expect(moved).toMatchObject([{ parts: [{ text: 'so ' }, A.part] }, user(no(A)), HI]);
    expect(JSON.stringify(moved).match(/"sig"/g)).toHaveLength(1);
    expect(restore([model({ text: `so ${A.note}`, thoughtSignature: 'own' }), HI])).toMatchObject([
      { parts: [{ text: 'so ', thoughtSignature: 'own' }, A.part] },
      {},
      HI,
    ]);
  });

  it('what stands for a signature stays where the call had none, or where it was the client that put it there', () => {
    const unsigned = [model(note(B), { ...KEPT, thoughtSignature: NO_SIGNATURE }), user(result('write', 'c2'))];
    expect(restore(unsigned)).toMatchObject([{ parts: [B.part, { thoughtSignature: NO_SIGNATURE }] }, {}]);
    const clients = [
      model(note(A), { ...KEPT, thoughtSignature: 'skip_thought_signature_validator' }),
      user(result('write', 'c2')),
    ];
    expect(JSON.stringify(restore(clients))).toContain('"skip_thought_signature_validator"');
  });

  it('once at most', () => {
    expect(restore([model(note(A)), HI, model(note(A)), HI])).toEqual([model(A.part), user(no(A)), HI, model(note(A)), HI]);
  });

  it.each<[string, readonly object[]]>([
    ['the user says it', [user(note(A)), model(text('so')), user({ ...result('x'), ...note(A) })]],
    ['it is a thought', [model({ ...note(A), thought: true }), HI]],
    ['it is not the whole note', [model(text(A.note.slice(0, -1))), HI]],
    ['it is in arguments', [model(call('x', { a: A.note })), HI]],
    ['nobody knows it', [model(text(`${MARKED_NOTE}0123456789abcdef] Something.`)), HI]],
  ])('but not where %s', (_where, contents) => {
    const source = JSON.stringify({ contents }, undefined, 1);
    expect(restoreCalls(source, ALL)).toBe(source);
  });

  it('everything else stays as it was, byte for byte', () => {
    const before = '{ "contents" : [ {"role":"user","parts":[{"text":"h\\u0069"}]} , {"role":"model","parts":[ ';
    const after = ' , {"inlineData":{"a":1.0}} ] } , {"parts" : [ {"text":"x"} ] } ], "n": 1e3 }';
    const made = restoreCalls(`${before}${JSON.stringify(note(B))}${after}`, ALL);
    const own = `,{"role":"user","parts":[${JSON.stringify(no(B))}]}`;
    expect(made).toBe(before + B.text + after.replace('] } ,', `] }${own} ,`));
  });

  it('the same history comes out the same in later turns', () => {
    const first = [HI, model(note(A, 'sig'), KEPT), user(result('write', 'c2'))];
    const later = [...first, model(text('done')), user(text('more')), model(note(B)), HI];
    const made = restore(first) as unknown[];
    expect((restore(later) as unknown[]).slice(0, made.length)).toEqual(made);
  });

  it('in a request to count, too', () => {
    const inner = { contents: [model(note(A)), HI] };
    const made = restoreCalls(JSON.stringify({ generateContentRequest: inner }), ALL);
    expect(JSON.parse(made)).toEqual({ generateContentRequest: { contents: [model(A.part), user(no(A)), HI] } });
  });

  it('a text without notes is not looked into', () => {
    expect(restoreCalls('no JSON', ALL)).toBe('no JSON');
    expect(restoreCalls('{"contents":{"parts":{"text":"[clawai blk_"}}}', ALL)).toBe(
      '{"contents":{"parts":{"text":"[clawai blk_"}}}',
    );
  });

  it('is found among many calls beside many results', () => {
    const ids = Array.from({ length: 50_000 }, (_, i) => `q${i}`);
    const contents = [
      model(note(B), ...ids.map((id) => call('x', {}, { id }))),
      user(...ids.toReversed().map((id) => result('x', id))),
    ];
    expect(restore(contents)).toMatchObject([{}, { parts: { length: 50_001 } }]);
  });
});
