import { afterEach, describe, expect, it } from 'vitest';
import { attempt, useSandbox } from '../support/attempt.ts';
import { ALLOW, answerJson, denyNative, type RunningLlm, runLlm } from '../support/llm-route.ts';
import { type RunningRoute, runRoute } from '../support/remote-route.ts';

/**
 * `bash ` is no `bash`, so a rule that denies `bash` let it through, and a server that trims names ran it. A name with white space at an end, a control
 * character or one that nobody sees is refused, whoever says it.
 */
const sandbox = useSandbox();

const rule = (subject: string): string => `[[rule]]\naction = "deny"\n${subject} = "bash"\n`;
const DENYING = `[defaults]\naction = "allow"\n${rule('tool')}${rule('prompt')}`;
const NAMES = ['bash ', '\tbash', 'bash\n', 'bash\u00a0', 'bash\u200b', 'ba\u0000sh', 'ba\u00adsh'];
const HONEST = ['read_file', 'Read a file', '写 ✍\ufe0f'];

const ask = (method: string, id: unknown, params: unknown): object => ({ jsonrpc: '2.0', id, method, params });

it('over stdio, in calls of tools and prompts, and where a prompt is completed', async () => {
  const messages = [...NAMES, ...HONEST].flatMap((name, at) => [
    ask('tools/call', at, { name, arguments: {} }),
    ask('prompts/get', 100 + at, { name }),
    ask('completion/complete', 200 + at, { ref: { type: 'ref/prompt', name }, argument: { name: 'a', value: 'b' } }),
  ]);
  const { reached, ended } = await attempt(sandbox.current, DENYING, messages);
  const { length } = NAMES;
  expect(reached).toEqual(HONEST.flatMap((_, at) => [length + at, 100 + length + at, 200 + length + at]));
  const lines = ended.stdout.toString().trim().split('\n');
  const refused = lines
    .map((line) => JSON.parse(line) as { error?: { code: number; message: string } })
    .filter((each) => each.error);
  expect(refused).toHaveLength(3 * length);
  expect(new Set(refused.map(({ error }) => error?.code))).toEqual(new Set([-32602]));
  expect(refused[0]?.error?.message).toContain('white space at an end of the name');
});

describe('over HTTP', () => {
  let running: RunningRoute | undefined;
  afterEach(() => running?.close());

  it('the same', async () => {
    running = await runRoute({
      policy: DENYING,
      answer: ({ body }, response) => {
        const { id } = JSON.parse(body) as { id: unknown };
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      },
    });
    for (const [id, name] of [...NAMES, ...HONEST].entries()) {
      const answer = (await (await running.post(ask('tools/call', id, { name }))).json()) as { error?: { code: number } };
      expect([name, answer.error?.code]).toEqual([name, NAMES.includes(name) ? -32602 : undefined]);
    }
    expect(running.arrived).toHaveLength(HONEST.length);
  });
});

describe('in the answer of a model', () => {
  let llm: RunningLlm | undefined;
  afterEach(() => llm?.close());

  it.each([...NAMES, 'bash'])('%j is denied', async (name) => {
    const call = (id: string, of: string): object => ({ type: 'tool_use', id, name: of, input: { command: 'ls' } });
    llm = await runLlm({
      policy: ALLOW + denyNative('bash'),
      answer: (_asked, response) =>
        answerJson(response, { type: 'message', role: 'assistant', content: [call('t1', name), call('t2', 'look')] }),
    });
    const answer = await llm.post({ model: 'm', messages: [] });
    const { content } = (await answer.json()) as { content: readonly { type: string; name?: string; text?: string }[] };
    expect(content.filter(({ type }) => type === 'tool_use').map((each) => each.name)).toEqual(['look']);
    const reason = name === 'bash' ? 'rule' : 'malformed';
    expect(llm.records.map(({ decision }) => [decision.action, decision.reason])).toEqual([
      ['deny', reason],
      ['allow', 'default'],
    ]);
    if (name !== 'bash') expect(JSON.stringify(content)).toContain('Call the tool by its plain name');
  });
});
