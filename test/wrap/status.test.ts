import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerStatus } from '../../src/wrap/status.ts';
import { WrapMachine } from '../support/wrap-machine.ts';

const CURSOR = '.cursor/mcp.json';

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
});
afterEach(() => machine.remove());

function states(): Readonly<Record<string, string>> {
  return Object.fromEntries(machine.status().flatMap(({ servers }) => servers.map(({ server, state }) => [server, state])));
}

function statusOf(name: string): ServerStatus | undefined {
  return machine
    .status()
    .flatMap(({ servers }) => servers)
    .find(({ server }) => server === name);
}

describe('how servers stand', () => {
  it('before and after wrapping', async () => {
    machine.write(
      '.codeium/windsurf/mcp_config.json',
      '{"mcpServers":{"a":{"command":"a"},"off":{"command":"off","disabled":true},"r":{"serverUrl":"https://x"},"m":{"command":1}}}',
    );
    expect(states()).toEqual({ a: 'unwrapped', off: 'unwrapped', r: 'remote', m: 'malformed' });
    await machine.wrap();
    expect(states()).toEqual({ a: 'wrapped', off: 'wrapped', r: 'remote', m: 'malformed' });
    expect(statusOf('off')).toMatchObject({ isDisabled: true, isCurrent: true, clients: ['windsurf'], scope: 'user' });
    expect(statusOf('r')?.url).toBe('https://x');
  });

  it('after somebody else changed the file', async () => {
    machine.write(CURSOR, '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"},"c":{"command":"c"}}}');
    await machine.wrap();
    const servers = (JSON.parse(machine.read(CURSOR)) as { mcpServers: Record<string, unknown> }).mcpServers;
    machine.write(CURSOR, JSON.stringify({ mcpServers: { a: servers['a'], b: { command: 'b' }, d: { command: 'd' } } }));
    expect(states()).toEqual({ a: 'wrapped', b: 'drifted', c: 'gone', d: 'unwrapped' });
    await machine.wrap();
    expect(states()).toMatchObject({ a: 'wrapped', b: 'wrapped', d: 'wrapped' });
  });

  it('behind a clawai that is another one, or that we know nothing of', async () => {
    machine.write(CURSOR, '{"mcpServers":{"a":{"command":"a"}}}');
    await machine.wrap({ launcher: ['/old/node', '/old/clawai.mjs'] });
    expect(statusOf('a')).toMatchObject({ state: 'wrapped', isCurrent: false });
    rmSync(machine.statePath, { recursive: true });
    expect(statusOf('a')).toMatchObject({ state: 'unrecorded', isCurrent: false });
  });

  it('in a project that is not the one at hand, as long as it is wrapped', async () => {
    machine.write('../project/.mcp.json', '{"mcpServers":{"p":{"command":"p"}}}');
    await machine.wrap();
    const [file] = machine.status();
    rmSync(join(machine.project, '.mcp.json'));
    expect(file?.servers[0]?.state).toBe('wrapped');
    expect(machine.status()[0]?.error?.message).toMatch(/does not exist/);
  });
});

describe('a malformed entry', () => {
  it.each([
    ['{"d":{"command":"a"},"d":{"command":"b"}}', true],
    ['{"d":{"command":"a","command":"b"}}', true],
    ['{"d":{"command":"a","url":"https://x.example"}}', true],
    ['{"d":{"command":"a","args":[1]}}', true],
    ['{"d":{"env":{}}}', false],
    ['{"d":["a"]}', false],
  ])('%s: a client may start a process from it: %s', (servers, isDoubtful) => {
    machine.write(CURSOR, `{"mcpServers":${servers}}`);
    expect(statusOf('d')).toMatchObject({ state: 'malformed', isDoubtful });
  });
});

describe('hazard 3: when a wrapped server was last seen', () => {
  it('is asked of the audit, under the name that the audit knows', async () => {
    machine.write(
      CURSOR,
      '{"mcpServers":{"a":{"command":"a"},"h":{"command":"clawai","args":["proxy","--server","x","--","h"]}}}',
    );
    await machine.wrap({ selection: { servers: ['a'] } });
    expect(['a', 'h'].map((name) => statusOf(name)?.name)).toEqual(['a', 'x']);
  });
});

describe('files that cannot be read', () => {
  it('are named, with the reason', () => {
    machine.write('.claude.json', '{ // no');
    machine.write(CURSOR, '{}');
    const [claude] = machine.status();
    expect(claude?.problems[0]).toMatchObject({ client: 'claude-code', problem: { line: 1 } });
    rmSync(join(machine.home, CURSOR));
    symlinkSync('nowhere', join(machine.home, CURSOR));
    const broken = machine.status().find(({ file }) => file.endsWith(CURSOR));
    expect(broken?.error?.message).toMatch(/is a broken link/);
  });
});
