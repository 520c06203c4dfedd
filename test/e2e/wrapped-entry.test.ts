import { expect, it } from 'vitest';
import { findLauncher, ownInstallation } from '../../src/wrap/launcher.ts';
import { useSandbox } from '../support/attempt.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';
import { WrapMachine } from '../support/wrap-machine.ts';

const sandbox = useSandbox();

/** Starts the server of an entry as its client would: the command with its arguments, in an environment without a search path. */
function startEntry(text: string, name: string): Running {
  const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, { command: string; args: string[] }> };
  const entry = mcpServers[name];
  if (entry === undefined) throw new Error(`there is no server ${name}`);
  const { PATH: _path, ...env } = sandbox.current.env;
  return new Running([entry.command, ...entry.args], { env, cwd: sandbox.current.folder });
}

it('hazard 1, hazard 22: what a wrapped entry starts is clawai with the server behind it, also without a search path', async () => {
  const machine = new WrapMachine();
  try {
    const record = sandbox.current.path('record');
    const args = [support('recording-server.mjs'), record];
    machine.write('.cursor/mcp.json', JSON.stringify({ mcpServers: { '-x y': { command: process.execPath, args } } }));
    const policy = sandbox.current.write('strict.toml', '[defaults]\naction = "deny"\n');
    await machine.wrap({ launcher: findLauncher(ownInstallation()).words, policy });
    const running = startEntry(machine.read('.cursor/mcp.json'), '-x y');
    running.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    running.send('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{}}}\n');
    await running.close();
    const reached = sandbox.current.read('record').toString();
    expect(reached).toContain('"ping"');
    expect(reached).not.toContain('tools/call');
    expect(sandbox.current.decided()).toMatchObject([{ server_id: '-x y', decision: 'deny' }]);
  } finally {
    machine.remove();
  }
});
