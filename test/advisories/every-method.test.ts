import { expect, it } from 'vitest';
import { support } from '../support/sandbox.ts';
import { useSandbox } from '../support/attempt.ts';

/**
 * `allow` with `method = "**"` made each notification a call that was decided and put on record: a server that told of its progress filled the audit, and
 * its messages came a hundred times slower. What no rule can deny or ask about passes and is counted; what one can is decided as before.
 */
const sandbox = useSandbox();

const POLICY = `
[[rule]]
action = "deny"
method = "notifications/message"
args.data = "**secret**"

[[rule]]
action = "allow"
method = "**"
`;

const COUNT = 500;

it('a stream of notifications that every rule allows leaves no records', async () => {
  const { current } = sandbox;
  const notify = (method: string, params: unknown): string => `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`;
  const progress = Array.from({ length: COUNT }, (_, at) => notify('notifications/progress', { progressToken: 1, progress: at }));
  const logged = ['a secret', 'plain'].map((data) => notify('notifications/message', { level: 'info', data }));
  const script = current.write('script.json', JSON.stringify({ first: [...progress, ...logged].join('') }));
  const policy = current.write('policy.toml', POLICY);
  const server = [process.execPath, support('recording-server.mjs'), current.path('record'), script];
  const running = current.clawai('proxy', '--server', 's', '--policy', policy, '--', ...server);
  running.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await running.lines(COUNT + 1);
  const ended = await running.close();
  expect(ended.stdout).toBe([...progress, logged[1]].join(''));
  expect(current.decided().map(({ method, action }) => [method, action])).toEqual([['notifications/message', 'block']]);
  const [summary] = current.events().filter(({ type }) => type === 'mcp_connection_ended');
  expect(JSON.stringify(summary)).toContain(String(COUNT + 2));
});
