import { afterEach, beforeEach, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { begin, chunk, DONE, finish, part } from '../support/chat-chunks.ts';
import { EveryModel } from '../support/every-model.ts';
import { post } from '../support/post.ts';
import { Serving } from '../support/serving.ts';

/**
 * In Chat Completions a call may have a name in several parts, and beside its function. A call that streamed on by an allowed name had a denied one then,
 * which the client got before its answer was ended; one with a denied name beside its function passed as the allowed one.
 */
const POLICY = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "danger"\n';

const CLOSED = { type: 'object', properties: {}, additionalProperties: false };
const TOOLS = ['count', 'danger'].map((name) => ({ type: 'function', function: { name, parameters: CLOSED } }));

const ALLOWED = part(0, { id: 'a', name: 'count', args: '' });
const ENDED = { index: 0, function: { arguments: '{}' } };

const sandbox = useSandbox();
let model: EveryModel;
let serving: Serving;
beforeEach(async () => {
  model = await EveryModel.start();
});
afterEach(async () => {
  await serving.stop();
  await model.stop();
});

async function ask(parts: readonly object[], mode = ''): Promise<string> {
  model.stream = [begin(), ...parts.map((each) => chunk({ tool_calls: [each] })), finish('tool_calls'), DONE].join('');
  const config = `${mode}[llm.providers.openai]\nbase_url = "${model.origin}/v1"\n`;
  serving = await Serving.start(sandbox.current, { policy: POLICY, config });
  const { text } = await post(`${serving.llmUrl('openai')}/chat/completions`, { messages: [], tools: TOOLS, stream: true });
  return text;
}

it.each([
  ['another name', [ALLOWED, part(0, { name: 'danger', args: '{}' })], 'a call that goes on as another one'],
  [
    'another name, of a call with another id',
    [ALLOWED, part(0, { id: 'b', name: 'danger', args: '{}' })],
    'goes on as another one',
  ],
  ['a name beside its function', [ALLOWED, { ...ENDED, name: 'danger' }], 'a call that goes on as another one'],
  ['a custom tool beside its function', [ALLOWED, { index: 0, custom: { name: 'danger', input: '' } }], 'goes on as another one'],
  ['such a tool at once', [{ ...ALLOWED, custom: { name: 'danger', input: '' } }, ENDED], '[clawai'],
  ['such a name at once', [{ ...ALLOWED, name: 'danger' }, ENDED], '[clawai'],
])('a call that streams on and has %s', async (_what, parts, why) => {
  const text = await ask(parts);
  expect(text).not.toContain('danger');
  expect(text).toContain(why);
});

it('the same name again, and what is only observed, go on', async () => {
  expect(await ask([ALLOWED, part(0, { name: 'count' }), ENDED])).toBe(model.stream);
  await serving.stop();
  expect(await ask([ALLOWED, part(0, { name: 'danger' }), ENDED], 'mode = "observe"\n')).toBe(model.stream);
});
