import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/cli/terminal/text.ts';
import { useSandbox } from '../support/attempt.ts';
import { writeConfig } from '../support/client-configs.ts';
import { recordedCall, RecordedStore } from '../support/recorded-store.ts';
import { ROOT } from '../support/run-cli.ts';
import { Running } from '../support/running.ts';

const sandbox = useSandbox();
/** Runs a command in a terminal of its own; the one of util-linux, since others take other flags. */
const SCRIPT = '/usr/bin/script';

async function inTerminal(
  columns: number,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const words = sandbox.current.command(...command).map((word) => `'${word}'`);
  const running = new Running([SCRIPT, '-qec', `stty cols ${columns}; ${words.join(' ')}`, '/dev/null'], {
    env: { ...sandbox.current.env, TERM: 'xterm', ...env },
    cwd: sandbox.current.folder,
  });
  return (await running.close()).stdout.replaceAll('\r', '');
}

describe.runIf(process.platform === 'linux' && existsSync(SCRIPT))('in a terminal', () => {
  it('a table fits and is coloured, unless NO_COLOR says no', async () => {
    const store = new RecordedStore(join(sandbox.current.state, 'clawai', 'clawai.db'));
    store.add(recordedCall({ tool_name: `日本語${'x'.repeat(100)}`, rule: 'a-rule-with-a-long-name' }));
    store.close();
    const coloured = await inTerminal(72, ['mcp', 'calls']);
    expect(coloured).toContain('\u001b[32mallow \u001b[39m');
    expect(coloured).toContain('…');
    const plain = await inTerminal(72, ['mcp', 'calls'], { NO_COLOR: '1' });
    expect(plain).not.toContain('\u001b');
    // The call has no arguments, whose column is the last one.
    expect(plain.trimEnd().split('\n').map(displayWidth)).toEqual([72, 72 - '  ARGUMENTS'.length]);
    expect(await inTerminal(200, ['mcp', 'calls'], { NO_COLOR: '1' })).toContain(`${'x'.repeat(100)}  allow`);
  });

  it('tells how far a long command is, on stderr alone', async () => {
    const words = sandbox.current
      .command('policy', 'test', '--fixture-dir', join(ROOT, 'fixtures'), '--mutate')
      .map((word) => `'${word}'`);
    const running = new Running([SCRIPT, '-qec', `stty cols 60; exec ${words.join(' ')} > out`, '/dev/null'], {
      env: { ...sandbox.current.env, TERM: 'xterm' },
      cwd: sandbox.current.folder,
    });
    await running.until(() => /\rclawai: [\d,]+ of [\d,]+ mutants/.test(running.stdout.toString()));
    running.kill('SIGKILL');
    await running.ended;
    expect(sandbox.current.read('out').toString()).toBe('');
  });

  it('JSON does not steer it, and still says the same', async () => {
    const call = recordedCall({ tool_name: 'a\u009b31m\u202e' });
    const store = new RecordedStore(join(sandbox.current.state, 'clawai', 'clawai.db'));
    store.add(call);
    store.close();
    const json = await inTerminal(80, ['mcp', 'calls', '--json']);
    expect(json).toContain('a\\u009b31m\\u202e');
    expect(JSON.parse(json)).toEqual(call);
  });

  it('wrap --dry-run colours its diff, and wrapped lists fit', async () => {
    const { current } = sandbox;
    const servers = { files: { command: 'npx' }, web: { url: 'https://x.example/mcp' } };
    writeConfig(current, 'home/.cursor/mcp.json', JSON.stringify({ mcpServers: servers }, undefined, 2));
    const coloured = await inTerminal(60, ['wrap', '--all', '--dry-run']);
    expect(coloured).toMatch(/\u001b\[31m- +"command": "npx"\u001b\[39m/);
    expect(coloured).toMatch(/\u001b\[32m\+ +"command": /);
    const plain = await inTerminal(60, ['status'], { NO_COLOR: '1' });
    expect(plain).not.toContain('\u001b');
    expect(plain.split('\n').filter((line) => line.startsWith(' ') && line.length > 60)).toEqual([]);
    const doctor = await inTerminal(60, ['doctor'], { NO_COLOR: '1' });
    expect(doctor).toMatch(/^warn +servers +not wrapped: files$/m);
  });
});
