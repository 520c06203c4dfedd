import { existsSync, mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox, support } from '../support/sandbox.ts';
import type { Running } from '../support/running.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}\n';

function proxyWith(config: string): Running {
  const policy = sandbox.write('policy.toml', '[[rule]]\nid = "none"\naction = "deny"\ntool = "**"\n');
  const server = [process.execPath, support('recording-server.mjs'), sandbox.path('seen')];
  const flags = ['--config', sandbox.write('config.toml', config), '--policy', policy];
  return sandbox.clawai('proxy', '--server', 's', ...flags, '--', ...server);
}

describe('config.toml', () => {
  it.each([
    [
      'a key that nobody knows',
      'mdoe = "observe"',
      /config\.toml:1:1: unknown key "mdoe" in the config\n.*\n.*\n {2}did you mean "mode"\?/,
    ],
    ['a setting for later', '[network]', /config\.toml:1:1: "network" is not supported by this version/],
    [
      'an address for all the world and no token',
      'mode = "enforce"\nlisten = "0.0.0.0:8787"',
      /config\.toml:2:1: an address that other machines can reach needs/,
    ],
    [
      'a server at no address',
      '[[servers]]\nid = "a"\nurl = "https://a.example/"\n\n[[servers]]\nid = "b"\nurl = "b.example"',
      /config\.toml:7:1: servers\.url must be a URL/,
    ],
    ['no TOML', 'mode = observe', /config\.toml:1:8: /],
  ])('with %s starts nothing', async (_, config, message) => {
    const policy = sandbox.write('policy.toml', '');
    const flags = ['--config', sandbox.write('config.toml', config), '--policy', policy];
    const { code, stdout, stderr } = await sandbox.clawai('proxy', ...flags, '--', 'touch', sandbox.path('started')).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(existsSync(sandbox.path('started'))).toBe(false);
  });

  it('that is not where --config says starts nothing', async () => {
    const flags = ['--config', '/no/such/config.toml', '--', 'touch', sandbox.path('started')];
    const { code, stderr } = await sandbox.clawai('proxy', ...flags).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining('--config names a config that does not exist')]);
    expect(existsSync(sandbox.path('started'))).toBe(false);
  });

  it('of the user is read where no flag names one', async () => {
    mkdirSync(sandbox.path('config/clawai'), { recursive: true });
    sandbox.write('config/clawai/config.toml', 'mode = "obsrve"');
    const { code, stderr } = await sandbox.clawai('proxy', '--', 'touch', sandbox.path('started')).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean "observe"?')]);
  });

  it('observes', async () => {
    const clawai = proxyWith('mode = "observe"');
    clawai.send(CALL);
    await clawai.lines(1);
    const { stderr } = await clawai.close();
    expect(sandbox.read('seen').toString()).toBe(CALL);
    expect(stderr).toContain('clawai: only observing');
    expect(sandbox.decided()).toMatchObject([{ action: 'allow', decision: 'deny', mode: 'observe' }]);
  });

  it('says where the state is', async () => {
    const clawai = proxyWith('state_dir = "~/there"');
    clawai.send(CALL);
    await clawai.lines(1);
    await clawai.close();
    expect(existsSync(sandbox.path('home/there'))).toBe(true);
    expect(existsSync(sandbox.state)).toBe(false);
  });

  it('bounds the bytes of a message', async () => {
    const clawai = proxyWith('limits.message = "64 KiB"');
    const note = (bytes: number): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping', x: '' }).replace('""', `"${'x'.repeat(bytes)}"`)}\n`;
    clawai.send(note(60_000) + note(66_000));
    const lines = await clawai.lines(2);
    await clawai.close();
    expect(sandbox.read('seen').length).toBe(note(60_000).length);
    expect(lines.toSorted()).toEqual([
      expect.stringContaining('clawai refused a message of 66'),
      expect.stringContaining('"result"'),
    ]);
  });

  it.each([
    ['limits.depth = 16', 20, false],
    ['', 20, true],
    ['', 200, false],
    ['limits.depth = 512', 500, true],
  ])('bounds how deep a message is nested: %j, %i', async (config, depth, isTaken) => {
    const clawai = proxyWith(config);
    // The message itself is one of them, and its params.
    const nested = `${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}`;
    clawai.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${nested}}}\n`);
    const [line] = await clawai.lines(1);
    await clawai.close();
    expect(line).toContain(isTaken ? '"result"' : '"error"');
  });
});
