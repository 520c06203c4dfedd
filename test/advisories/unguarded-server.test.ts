import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

/** What failed after the server's start (a working directory that is gone) left the server running and clawai hanging. */
const sandbox = useSandbox();

it('a server that cannot be guarded is ended', async () => {
  const { current } = sandbox;
  const policy = current.write('policy.toml', '');
  const [node, bin] = current.command();
  const server = [process.execPath, support('recording-server.mjs'), current.path('record')];
  const command = [node, bin, 'proxy', '--policy', policy, '--', ...server];
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const running = new Running(['sh', '-c', script, 'sh', ...command.map(String)], { env: current.env, cwd: current.folder });
  const ended = await running.ended;
  expect(ended.code).toBe(2);
});
