import { afterEach, describe, expect, it } from 'vitest';
import { MODEL_APIS } from '../../../src/cli/serve/llm-routes.ts';
import { answerCall, type Asking, ASKINGS, askModel } from '../../support/every-model.ts';
import { knowing } from '../../support/knowing.ts';
import { denyNative, runLlm, type RunningLlm } from '../../support/llm-route.ts';

const ALLOW = '[defaults]\naction = "allow"\n';
const DENY = `${ALLOW}[[rule]]\naction = "deny"\nserver = "github"\ntool = "create_issue"\n`;
const ARGS = { title: 'of-the-call' };

let running: RunningLlm | undefined;
afterEach(() => running?.close());

/** What comes of a model that calls a tool by a name. */
async function ask(asking: Asking, { name, policy }: { readonly name: string; readonly policy: string }): Promise<string> {
  const wanted = asking.provider === 'responses' ? 'openai' : asking.provider;
  const api = MODEL_APIS.find(({ dialect }) => dialect === wanted);
  running = await runLlm({
    ...(api && { api }),
    policy,
    ports: { registry: knowing({ github: ['create_issue'] }) },
    answer: (_asked, response) => answerCall(response, { id: 'call_1', name, args: ARGS }, asking),
  });
  return askModel(running.url, asking);
}

describe.each(ASKINGS)('hazard 32: what a model of $provider calls (stream: $isStream)', (asking) => {
  it.each(['mcp__github__create_issue', 'mcp_github_create_issue', 'github_create_issue'])(
    'is a tool of its server by the name %s',
    async (name) => {
      const denied = await ask(asking, { name, policy: DENY });
      expect(denied).toContain('clawai denied the tool call');
      expect(denied).not.toContain('of-the-call');
      expect(running?.records).toMatchObject([
        { call: { server: 'github', tool: 'create_issue' }, decision: { action: 'deny' } },
      ]);
      await running?.close();
      expect(await ask(asking, { name, policy: ALLOW })).toContain('of-the-call');
    },
  );

  it('is of no server that is known, and denied, whatever the rules allow', async () => {
    const policy = `${ALLOW}[[rule]]\naction = "allow"\ntool = "**"\n`;
    expect(await ask(asking, { name: 'mcp__nobody__create_issue', policy })).not.toContain('of-the-call');
    expect(running?.records).toMatchObject([{ call: { server: 'nobody', origin: 'unmapped' }, decision: { action: 'deny' } }]);
  });

  it("is the agent's own by a bare name, which is no name of a tool of a server's", async () => {
    expect(await ask(asking, { name: 'Bash', policy: DENY })).toContain('of-the-call');
    await running?.close();
    expect(await ask(asking, { name: 'Bash', policy: ALLOW + denyNative('Bash') })).not.toContain('of-the-call');
    expect(running?.records).toMatchObject([{ call: { server: 'native', tool: 'Bash' } }]);
  });
});
