import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { recordedCall, RecordedStore } from '../support/recorded-store.ts';
import { Running } from '../support/running.ts';

const sandbox = useSandbox();

function storeFile(): string {
  return join(sandbox.current.state, 'clawai', 'clawai.db');
}

function record(...names: readonly string[]): RecordedStore {
  const store = new RecordedStore(storeFile());
  store.edit('BEGIN');
  for (const tool of names) store.add(recordedCall({ tool_name: tool }));
  store.edit('COMMIT');
  return store;
}

/** The tool of each line so far. */
function tools(running: Running): string[] {
  return running.stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('  ')[3] ?? '');
}

describe('clawai log', () => {
  it('prints a line per event, and nothing of a hostile name that looks like another line', async () => {
    record('read_file', 'x\n2026-03-01 12:00:00.000  files  allow  forged\u001b[31m').close();
    const { code, stdout, stderr } = await sandbox.current.clawai('log').close();
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^2026-03-01 \d\d:00:00\.000 {2}files {2}allow {2}read_file {2}rule reading {2}rule {2}120 µs {2}id an-id$/,
    );
    expect(lines[1]).toContain('x\uFFFD2026-03-01 12:00:00.000  files  allow  forged\uFFFD[31m');
  });

  it('ends quietly when nobody reads on', async () => {
    record(...Array.from({ length: 20_000 }, (_, i) => `tool_${i}`)).close();
    for (const command of [
      ['log', '--all'],
      ['mcp', 'calls', '--all'],
      ['audit', 'export'],
      ['log', '--all', '-f'],
    ]) {
      const [node, ...args] = sandbox.current.command(...command);
      const script = '{ "$@"; echo "exit code $?" >&2; } | { read -r line; printf "%s" "$line"; }';
      const shell = new Running(['sh', '-c', script, 'sh', node, ...args], {
        env: sandbox.current.env,
        cwd: sandbox.current.folder,
      });
      const { code, stdout, stderr } = await shell.close();
      expect([code, stderr]).toEqual([0, 'exit code 0\n']);
      expect(stdout).not.toBe('');
    }
  });
});

describe('clawai log --follow', () => {
  it('prints what is there, then what comes, and ends with Ctrl-C and exit code 0', async () => {
    const store = record('before');
    const running = sandbox.current.clawai('log', '-f');
    await running.lines(1);
    store.add(recordedCall({ tool_name: 'after' }));
    await running.lines(2);
    expect(tools(running)).toEqual(['before', 'after']);
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    store.close();
  });

  it('takes filters, for what comes too', async () => {
    const store = record('before');
    const running = sandbox.current.clawai('log', '--follow', '--tool', 'x*', '--json');
    // Asked after the start, so that only following can find it.
    await new Promise((settle) => setTimeout(settle, 600));
    for (const tool of ['one', 'x1', 'two', 'x2']) store.add(recordedCall({ tool_name: tool }));
    const lines = await running.lines(2);
    expect(lines.map((line) => (JSON.parse(line) as { tool_name: string }).tool_name)).toEqual(['x1', 'x2']);
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0 });
    store.close();
  });

  it('waits for a store that is not there yet, and survives that it is deleted and made anew', async () => {
    const running = sandbox.current.clawai('log', '-f');
    await running.until(() => running.stderr.includes('waiting for'));
    expect(running.stderr).toBe(`clawai: nothing was recorded yet; waiting for ${storeFile()}\n`);
    mkdirSync(join(sandbox.current.state, 'clawai'), { recursive: true });
    const first = record('first', 'second');
    await running.lines(2);
    first.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(storeFile() + suffix, { force: true });
    const second = record('third');
    await running.lines(3);
    expect(tools(running)).toEqual(['first', 'second', 'third']);
    running.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0 });
    second.close();
  });

  it('and --until contradict each other', async () => {
    const { code, stderr } = await sandbox.current.clawai('log', '-f', '--until', '1h').close();
    expect([code, stderr]).toEqual([2, 'clawai: --until and --follow contradict each other\n  give one of them\n']);
  });
});
