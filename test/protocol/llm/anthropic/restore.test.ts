import { describe, expect, it } from 'vitest';
import type { DeniedLedger } from '../../../../src/gate/model/denied-ledger.ts';
import { restoreCalls } from '../../../../src/protocol/llm/anthropic/restore.ts';
import { createLedger, tellable } from '../../../support/denied-ledger.ts';

const call = (id: string, more = '') => `{"type": "tool_use", "id":"${id}","name":"Bash","input":{"n": 1.0}${more}}`;
const failed = (id: string, why = 'No.') =>
  JSON.stringify({ type: 'tool_result', tool_use_id: id, is_error: true, content: why });
const says = (text: string) => `{"type":"text","text":${JSON.stringify(text)}}`;
const model = (...blocks: string[]) => `{"role":"assistant","content":[${blocks.join(',')}]}`;
const user = (...blocks: string[]) => `{"role":"user", "content":[${blocks.join(',')}]}`;
const request = (...messages: string[]) => `{ "model":"m", "n": 1.0, "messages": [ ${messages.join(' , ')} ] }`;
const told = (...ids: string[]) => `{"role":"user","content":[${ids.map((id) => failed(id)).join(',')}]}`;

const THINKING = '{"type":"thinking","thinking":"hm","signature":"c2ln"}';
const GO = '{"role":"user","content":"go"}';

/** A ledger that knows these calls, and their notes. */
function denying(...calls: readonly string[]): { readonly ledger: DeniedLedger; readonly notes: readonly string[] } {
  const ledger = createLedger();
  return { ledger, notes: calls.map((text) => ledger.note(tellable(text, { answer: 'msg_1' }), 'No.')) };
}

describe('a conversation', () => {
  const { ledger, notes } = denying(call('A'), call('B'));
  const [a = '', b = ''] = notes;

  it('has the denied call at its place again, and what came of it before all else that the user says next', () => {
    const before = request(GO, model(THINKING, says(a), call('C')), user('{"type":"tool_result", "tool_use_id":"C"}', says('x')));
    expect(restoreCalls(before, ledger)).toBe(
      request(
        GO,
        model(THINKING, call('A'), call('C')),
        user(failed('A'), '{"type":"tool_result", "tool_use_id":"C"}', says('x')),
      ),
    );
  });

  it('has several, of several turns', () => {
    const before = request(GO, model(says(a)), user(says('on')), model(says('so'), says(b)), user(says('and')));
    expect(restoreCalls(before, ledger)).toBe(
      request(GO, model(call('A')), user(failed('A'), says('on')), model(says('so'), call('B')), user(failed('B'), says('and'))),
    );
  });

  it.each([
    ['in the midst of a text', `so ${a}\n\nthen`, [says('so '), call('A'), says('\n\nthen')]],
    ['two in a text, with white space between them', `${a}\n${b}`, [call('A'), call('B')]],
    ['two in a text, with words between them', `${a}and${b} `, [call('A'), says('and'), call('B')]],
    ['at the end of a text with other letters', `é🏔\u2028"${a}`, [says('é🏔\u2028"'), call('A')]],
  ])('has it %s', (_what, text, blocks) => {
    const ids = blocks.filter((block) => block.includes('tool_use')).map((block) => (block.includes('"A"') ? 'A' : 'B'));
    const results = ids.map((id) => failed(id));
    expect(restoreCalls(request(GO, model(THINKING, says(text)), user(says('x'))), ledger)).toBe(
      request(GO, model(THINKING, ...blocks), user(...results, says('x'))),
    );
    const asText = `{"role":"assistant","content":${JSON.stringify(text)}}`;
    expect(restoreCalls(request(GO, asText, user(says('x'))), ledger)).toBe(
      request(
        GO,
        asText.replace(/"content":.*\}$/s, () => `"content":[${blocks.join(',')}]}`),
        user(...results, says('x')),
      ),
    );
  });

  it.each([
    [
      'is a text',
      '{"role":"user","content":"x \\u00e9"}',
      `{"role":"user","content":[${failed('A')},{"type":"text","text":"x \\u00e9"}]}`,
    ],
    ['is an empty text', '{"role":"user","content":" "}', `{"role":"user","content":[${failed('A')}]}`],
    ['is empty', user(), user(failed('A'))],
    ['is nothing yet', undefined, told('A')],
    ['is not the user’s', '{"role":"system","content":[]}', `${told('A')},{"role":"system","content":[]}`],
    ['can not be read', '{"role":"user"}', `${told('A')},{"role":"user"}`],
  ])('is as the API wants it where what comes next %s', (_what, next, expected) => {
    const end = next === undefined ? [] : [next];
    const restored = restoreCalls(request(GO, model(says(a)), ...end), ledger);
    const join = next === undefined ? ',' : ' , ';
    expect(restored).toBe(request(GO, `${model(call('A'))}${join}${expected}`));
  });

  it('counts what the model said in several messages as one turn', () => {
    const before = request(GO, model(says(a)), model(says(b)), user(says('x')));
    expect(restoreCalls(before, ledger)).toBe(
      request(GO, model(call('A')), model(call('B')), user(failed('A'), failed('B'), says('x'))),
    );
  });

  it('has all of many calls again, beside however much', () => {
    const many = denying(...Array.from({ length: 4000 }, (_, i) => call(`many${i}`)));
    const much = user(says('x'.repeat(24 << 20)));
    const inOne = request(GO, model(says(many.notes.join('\n'))), much);
    const inMany = request(GO, ...many.notes.map((note) => model(says(note))), much);
    expect(restoreCalls(inOne, many.ledger)).toContain(failed('many3999'));
    expect(restoreCalls(inMany, many.ledger)).toContain(failed('many3999'));
  });

  it('keeps where a cache ends', () => {
    const cached = (text: string) => `{"type":"text","text":${JSON.stringify(text)},"cache_control": {"type":"ephemeral"}}`;
    const onCall = call('A').replace('{', '{"cache_control":{"type":"ephemeral"},');
    expect(restoreCalls(request(GO, model(cached(a)), user(says('x'))), ledger)).toBe(
      request(GO, model(onCall), user(failed('A'), says('x'))),
    );
    expect(restoreCalls(request(GO, model(cached(`so${a}`)), user(says('x'))), ledger)).toBe(
      request(GO, model(says('so'), onCall), user(failed('A'), says('x'))),
    );
    expect(restoreCalls(request(GO, model(cached(`${a}so`)), user(says('x'))), ledger)).toBe(
      request(
        GO,
        model(call('A'), '{"cache_control":{"type":"ephemeral"},"type":"text","text":"so"}'),
        user(failed('A'), says('x')),
      ),
    );
  });
});

describe('a call is none again', () => {
  const { ledger, notes } = denying(call('A'));
  const [a = ''] = notes;

  it.each([
    ['in what the user says', request(user(says(a)), model(says('x')), user(says(a)))],
    [
      'in what a tool says',
      request(GO, model(call('C')), user(`{"type":"tool_result","tool_use_id":"C","content":${JSON.stringify(a)}}`)),
    ],
    ['in what the model thinks', request(GO, model(`{"type":"thinking","thinking":${JSON.stringify(a)},"signature":"s"}`), GO)],
    ['in its arguments', request(GO, model(`{"type":"tool_use","id":"C","name":"n","input":{"text":${JSON.stringify(a)}}}`), GO)],
    ['where its note was changed', request(GO, model(says(a.replace('No', 'no'))), GO)],
    ['where its mark was made up', request(GO, model(says(a.replace(/blk_\w{3}/, 'blk_AAA'))), GO)],
    ['where the model is said to have said it elsewhere', `{"system":${JSON.stringify(a)},"messages":[${GO}]}`],
    ['where there are no messages', `{"messages":${JSON.stringify(a)}}`],
    ['where a message is none', `{"messages":[${JSON.stringify(a)},7]}`],
    [
      'where the request has it already',
      request(GO, model(says(a), call('A')), user('{"type":"tool_result","tool_use_id":"A"}')),
    ],
    ['where the request has a result of it', request(GO, model(says(a)), user('{"type":"tool_result","tool_use_id":"A"}'))],
  ])('%s', (_what, text) => {
    expect(restoreCalls(text, ledger)).toBe(text);
  });

  it('a second time', () => {
    const before = request(GO, model(says(a)), user(says('x')), model(says(a)), user(says('y')));
    expect(restoreCalls(before, ledger)).toBe(
      request(GO, model(call('A')), user(failed('A'), says('x')), model(says(a)), user(says('y'))),
    );
  });
});

describe('a call that a program of the model made', () => {
  const byProgram = call('A', ',"caller":{"type":"code_execution_20260120","tool_id":"srv_1"}');
  const { ledger, notes } = denying(byProgram, call('B', ',"caller":{"type":"direct"}'));
  const [a = '', b = ''] = notes;

  it('has its result beside nothing but results', () => {
    const other = '{"type":"tool_result","tool_use_id":"C"}';
    expect(restoreCalls(request(GO, model(says(a)), user(says('x'))), ledger)).toBe(
      request(GO, model(byProgram), `${told('A')},${user(says('x'))}`),
    );
    expect(restoreCalls(request(GO, model(says(a)), GO), ledger)).toBe(request(GO, model(byProgram), `${told('A')},${GO}`));
    expect(restoreCalls(request(GO, model(says(a)), user(other)), ledger)).toBe(
      request(GO, model(byProgram), user(failed('A'), other)),
    );
  });

  it('is one that a program made', () => {
    expect(restoreCalls(request(GO, model(says(b)), user(says('x'))), ledger)).toContain(user(failed('B'), says('x')));
  });
});

describe('hazard 31: a thread that goes on', () => {
  const { ledger, notes } = denying(call('A'), call('B'));
  const thread = (messages: string, type = 'continue', id = 'msg_1') =>
    `{"thread":{"type":"${type}","previous_message_id":"${id}"},"messages": [${messages}]}`;

  it.each([
    [
      'before the results of others',
      user('{"type":"tool_result","tool_use_id":"C"}'),
      user(failed('A'), failed('B'), '{"type":"tool_result","tool_use_id":"C"}'),
    ],
    ['before a text', GO, `{"role":"user","content":[${failed('A')},${failed('B')},{"type":"text","text":"go"}]}`],
    ['where nothing is said', '', told('A', 'B')],
    [
      'where the first to speak is not the user',
      `{"role":"system","content":[]},${GO}`,
      `${told('A', 'B')},{"role":"system","content":[]},${GO}`,
    ],
  ])('has the results that the provider waits for, %s', (_what, before, after) => {
    expect(restoreCalls(thread(before), ledger)).toBe(thread(after));
  });

  it.each([
    ['another answer', thread(GO, 'continue', 'msg_2')],
    ['nothing', thread(GO, 'create')],
    [
      'an answer, and has the results already',
      thread(user('{"type":"tool_result","tool_use_id":"A"}', '{"type":"tool_result","tool_use_id":"B"}')),
    ],
  ])('has none where it goes on from %s', (_what, text) => {
    expect(restoreCalls(text, ledger)).toBe(text);
  });

  it('is one as a whole where the conversation is sent anew', () => {
    const [a = ''] = notes;
    const text = `{"thread":{"type":"create"},"messages":[${GO},${model(says(a))},${GO}]}`;
    expect(restoreCalls(text, ledger)).toContain(model(call('A')));
  });
});
