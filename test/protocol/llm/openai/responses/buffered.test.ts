import { describe, expect, it } from 'vitest';
import { findResponseCalls, rewriteResponse } from '../../../../../src/protocol/llm/openai/responses/buffered.ts';
import { call, custom, message, REASONING, response, shell } from '../../../../support/response-events.ts';

const READ = call('read', '{"path":"/a"}');
const WRITE = call('write', '{"to":"/b"}');
const NO = { isAllowed: false, note: '[clawai blk_0123456789abcdef] No.' } as const;
const YES = { isAllowed: true } as const;

const text = (value: object): string => JSON.stringify(value, undefined, 1);
const find = (value: object) => findResponseCalls(text(value));

describe('a whole response', () => {
  it('has its calls in order, with what brings them back', () => {
    const calls = find(response([REASONING, READ, message('So.'), shell(['ls']), custom('run', 'x')]));
    expect(calls).toMatchObject([
      { id: READ['call_id'], name: 'read', args: '{"path":"/a"}', answer: 'resp_1' },
      { name: 'shell' },
      { name: 'run', args: '{"input":"x"}' },
    ]);
    const [read] = typeof calls === 'string' ? [] : calls;
    expect(JSON.parse(read?.inHistory?.() ?? '')).toEqual(READ);
  });

  it('is of its conversation, if it is in one', () => {
    expect(find(response([READ], { conversation: { id: 'conv_1' } }))).toMatchObject([{ answer: 'conv_1' }]);
  });

  it('has messages in place of denied calls, whose ids have the marks of the notes, and everything else as it was', () => {
    const source = text(response([REASONING, READ, message('So.'), WRITE]));
    const rewritten = rewriteResponse(source, [NO, YES]);
    expect((JSON.parse(rewritten) as { output: unknown[] }).output).toEqual([
      REASONING,
      {
        id: 'msg_clawai_0123456789abcdef',
        type: 'message',
        status: 'completed',
        content: [{ type: 'output_text', annotations: [], logprobs: [], text: NO.note }],
        role: 'assistant',
      },
      message('So.'),
      WRITE,
    ]);
    expect(rewritten.slice(0, 200)).toBe(source.slice(0, 200));
    expect(rewriteResponse(source, [YES, YES])).toBe(source);
    expect(rewriteResponse(source, [])).not.toContain('"arguments"');
  });

  it('has no result of a denied call that the provider has run', () => {
    const run = shell(['a'], { environment: { type: 'container_reference' } });
    const result = { type: 'shell_call_output', id: 'o', call_id: 'call_sh', output: [{ stdout: 'secret' }] };
    expect(rewriteResponse(text(response([run, result])), [NO])).not.toContain('secret');
    expect(rewriteResponse(text(response([run, result])), [YES])).toContain('secret');
  });

  it.each([
    ['an error', { error: { message: 'tool_calls' } }],
    ['a queued one', response([], { status: 'queued', output: undefined })],
    ['a count', { object: 'response.input_tokens', input_tokens: 3 }],
    ['one that is compacted', { object: 'response.compaction', output: [{ type: 'compaction', encrypted_content: 'x' }] }],
  ])('without calls is %s', (_what, value) => {
    expect(find(value)).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['no JSON', '{"output":[', 'it is not JSON'],
    ['a key twice', '{"output":[],"output":[]}', 'a key occurs twice'],
    ['no object', '[]', 'it is no object'],
    ['a list of others', text({ output: { '0': READ } }), 'an output that cannot be read'],
    ['an unknown item', text(response([{ type: 'robot_call' }])), 'an item that clawai does not know ("robot_call")'],
    ['an item that is none', text(response(['x'])), 'an item that is no object'],
    ['a key in other letters', text(response([{ ...READ, Arguments: '{}' }])), 'a key that some readers take for another'],
    ['hidden members', '{"output":[],"__proto__":{"output":[]}}', 'a key that some readers take for another'],
    ['arguments that are no text', text(response([{ ...READ, arguments: { a: 1 } }])), 'a call in it cannot be read'],
    ['words of another API', text(response([], { choices: [{ message: { tool_calls: [READ] } }] })), 'a call where none'],
  ])('is refused with %s', (_what, source, why) => {
    expect(findResponseCalls(source)).toContain(why);
  });
});
