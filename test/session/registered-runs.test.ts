import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookAtProcesses, parsePsLine, type ProcessInfo } from '../../src/session/processes.ts';
import {
  findRegisteredRun,
  findNamedSession,
  noteNamedSession,
  registerRun,
  runsFolder,
} from '../../src/session/registered-runs.ts';
import { useSandbox } from '../support/attempt.ts';

const sandbox = useSandbox();

function folder(): string {
  return runsFolder(sandbox.current.path('state/clawai'));
}

function look(): NonNullable<ReturnType<typeof lookAtProcesses>> {
  const processes = lookAtProcesses();
  if (processes === undefined) throw new Error('nothing to look at');
  return processes;
}

/** The run that what we start would find. */
function found(): string | undefined {
  return findRegisteredRun(folder(), process.pid, look());
}

describe.skipIf(process.platform === 'win32')('a run', () => {
  it('is found by what it has started, until it is taken back', () => {
    const end = registerRun(folder(), 'run-1', look());
    expect(found()).toBe('run-1');
    expect(findRegisteredRun(folder(), process.ppid, look())).toBeUndefined();
    end();
    expect(found()).toBeUndefined();
    expect(readdirSync(folder())).toEqual([]);
    expect(end).not.toThrow();
  });

  it('is none where the folder of the state is a file, or the link to it leads in circles', () => {
    sandbox.current.write('state', '');
    expect(found()).toBeUndefined();
    renameSync(sandbox.current.path('state'), sandbox.current.path('away'));
    symlinkSync('state', sandbox.current.path('state'));
    expect(found()).toBeUndefined();
  });

  it('only its user can read', () => {
    registerRun(folder(), 'run-1', look());
    const [file = ''] = readdirSync(folder());
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(), file)).mode & 0o777).toBe(0o600);
    expect(file).toMatch(new RegExp(`^${process.pid}-[0-9a-f]{8}$`));
  });

  it('makes a folder private that is not', () => {
    mkdirSync(folder(), { recursive: true, mode: 0o755 });
    chmodSync(folder(), 0o777);
    registerRun(folder(), 'run-1', look());
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
  });

  it('is of the second name where it was registered twice', () => {
    registerRun(folder(), 'run-1', look());
    registerRun(folder(), 'run-2', look());
    expect(found()).toBe('run-2');
  });
});

describe.skipIf(process.platform === 'win32')('what does not count', () => {
  function change(text: (text: string) => string): void {
    registerRun(folder(), 'run-1', look());
    const file = join(folder(), readdirSync(folder())[0] ?? '');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, text(before));
    expect(readFileSync(file, 'utf8')).not.toBe(before);
  }

  it.each<[string, (text: string) => string]>([
    ['a pid that was used again', (text) => text.replace(/"started":\d+/, '"started":1')],
    ['a file of another process', (text) => text.replace(/"pid":\d+/, '"pid":1')],
    ['another boot, or container', (text) => text.replace(/"scope":".*"/, '"scope":"x"')],
    ['a name that is none', (text) => text.replace('run-1', '../x')],
    ['half a file', (text) => text.slice(0, 20)],
    ['other JSON', () => 'null'],
    ['nothing', () => ''],
    ['too much', (text) => text + ' '.repeat(2000)],
  ])('%s', (_, text) => {
    change(text);
    expect(found()).toBeUndefined();
  });

  it('no folder, and a file in its place', () => {
    expect(found()).toBeUndefined();
    expect(existsSync(folder())).toBe(false);
    mkdirSync(sandbox.current.path('state/clawai'), { recursive: true });
    writeFileSync(folder(), '');
    expect(found()).toBeUndefined();
    expect(() => registerRun(folder(), 'run-1', look())).toThrow(/is not a folder/);
  });

  it('links, of the folder and in it', () => {
    registerRun(folder(), 'run-1', look());
    const elsewhere = sandbox.current.path('elsewhere');
    const file = join(folder(), readdirSync(folder())[0] ?? '');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    expect(found()).toBeUndefined();
    // Registering replaces the link and leaves alone what it leads to.
    const before = readFileSync(elsewhere, 'utf8');
    registerRun(folder(), 'run-2', look());
    expect([found(), readFileSync(elsewhere, 'utf8')]).toEqual(['run-2', before]);
    renameSync(folder(), sandbox.current.path('moved'));
    symlinkSync(sandbox.current.path('moved'), folder());
    expect(found()).toBeUndefined();
    expect(() => registerRun(folder(), 'run-3', look())).toThrow(/is not a folder/);
  });

  it('what others may write', () => {
    registerRun(folder(), 'run-1', look());
    const file = join(folder(), readdirSync(folder())[0] ?? '');
    chmodSync(file, 0o622);
    expect(found()).toBeUndefined();
    chmodSync(file, 0o600);
    expect(found()).toBe('run-1');
    chmodSync(folder(), 0o770);
    expect(found()).toBeUndefined();
  });

  it('a pipe, which nobody waits for', () => {
    registerRun(folder(), 'run-1', look());
    const file = join(folder(), readdirSync(folder())[0] ?? '');
    renameSync(file, sandbox.current.path('elsewhere'));
    spawnSync('mkfifo', [file]);
    expect(existsSync(file)).toBe(true);
    expect(found()).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('registering', () => {
  it('removes what ended runs left behind, and nothing else', () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const { scope } = look();
    const own = `${process.ppid}-00000000`;
    const parent = look().readProcess(process.ppid);
    const write = (name: string, run: unknown): void => writeFileSync(join(folder(), name), JSON.stringify(run), { mode: 0o600 });
    write('99999999-00000000', { session: 'gone', pid: 99_999_999, started: 1, scope });
    write('99999998-00000000', 'unreadable');
    write(`${process.ppid}-11111111`, { session: 'pid-used-again', pid: process.ppid, started: 1, scope });
    write(own, { session: 'running', pid: process.ppid, started: parent?.started, scope });
    write('notes.txt', 'somebody else');
    registerRun(folder(), 'run-1', look());
    const left = readdirSync(folder()).filter((name) => !name.startsWith(`${process.pid}-`));
    expect(left.toSorted()).toEqual([own, 'notes.txt'].toSorted());
  });

  it('needs to know when this process started', () => {
    const blind = { readProcess: () => undefined, scope: '', stdin: undefined };
    expect(() => registerRun(folder(), 'run-1', blind)).toThrow(/when this process started/);
    expect(existsSync(folder())).toBe(false);
  });

  it.runIf(process.platform === 'linux')('says where it cannot', () => {
    expect(() => registerRun('/proc/nowhere/runs', 'run-1', look())).toThrow(/ENOENT|EACCES/);
  });
});

describe.skipIf(process.platform === 'win32')('ancestors', () => {
  /** As macOS tells of them; our own process among them, as the run. */
  function processesOf(...lines: readonly string[]): (pid: number) => ProcessInfo | undefined {
    const all = lines.map((line) => parsePsLine(line));
    return (pid) => all.find((each) => each?.pid === pid);
  }

  const run = `${process.pid} 1 Sun Nov 22 04:30:55 2026 node clawai run -- codex`;
  const codex = `4000001 ${process.pid} Sun Nov 22 04:30:56 2026 codex`;
  const shell = '4000002 4000001 Sun Nov 22 04:31:00 2026 sh -c x';

  it('the nearest run counts, through whatever is between', () => {
    const readProcess = processesOf(run, codex, shell);
    registerRun(folder(), 'run-mac', { readProcess, scope: '', stdin: undefined });
    expect(findRegisteredRun(folder(), 4_000_002, { readProcess, scope: '' })).toBe('run-mac');
    // Registered by the same pid on another day.
    const later = processesOf(run.replace('Nov 22', 'Nov 23'), codex.replace('Nov 22', 'Nov 23'));
    expect(findRegisteredRun(folder(), 4_000_001, { readProcess: later, scope: '' })).toBeUndefined();
    // Its pid is that of a process that is younger than the agent.
    const adopted = processesOf(run.replace('04:30:55', '05:00:00'), codex);
    expect(findRegisteredRun(folder(), 4_000_001, { readProcess: adopted, scope: '' })).toBeUndefined();
  });

  it('a pid that ps tells to be another process now is an ended run', () => {
    const readProcess = processesOf(run, codex);
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const write = (pid: number, second: number): void => {
      const started = Date.UTC(2026, 10, 22, 4, 30, second);
      writeFileSync(join(folder(), `${pid}-00000000`), JSON.stringify({ session: 'x', pid, started, scope: '' }), {
        mode: 0o600,
      });
    };
    write(4_000_001, 56);
    write(4_000_009, 56);
    registerRun(folder(), 'run-mac', { readProcess, scope: '', stdin: undefined });
    expect(readdirSync(folder()).some((name) => name.startsWith('4000001-'))).toBe(true);
    expect(readdirSync(folder()).some((name) => name.startsWith('4000009-'))).toBe(false);
  });

  it('are not followed for ever', () => {
    const looped = { pid: process.pid + 1, parent: process.pid + 1, started: 1, name: 'sh', words: ['sh'], stdin: undefined };
    registerRun(folder(), 'run-1', look());
    let looks = 0;
    const readProcess = (): ProcessInfo => {
      looks++;
      return looped;
    };
    expect(findRegisteredRun(folder(), process.pid + 1, { readProcess, scope: '' })).toBeUndefined();
    expect(looks).toBe(32);
  });
});

describe.skipIf(process.platform === 'win32')('what a client says of its session', () => {
  it('is known of that very process, and the last counts', () => {
    const processes = look();
    const { started = 0 } = processes.readProcess(process.pid) ?? {};
    const client = { pid: process.pid, started };
    expect(findNamedSession(folder(), client, processes.scope)).toBeUndefined();
    for (const session of ['claude-1', 'claude-1', 'claude-2']) noteNamedSession(folder(), { ...client, session }, processes);
    expect(findNamedSession(folder(), client, processes.scope)).toBe('claude-2');
    expect(readdirSync(folder())).toHaveLength(1);
    expect(findNamedSession(folder(), { ...client, started: started + 1 }, processes.scope)).toBeUndefined();
    expect(findNamedSession(folder(), client, 'another scope')).toBeUndefined();
    // It names no run: what says otherwise of itself is not of it.
    expect(findRegisteredRun(folder(), process.pid, processes)).toBeUndefined();
  });

  it('where the folder can not be used, is not noted, and nothing is said', () => {
    sandbox.current.write('file', '');
    const file = sandbox.current.path('file');
    expect(() => noteNamedSession(join(file, 'runs'), { session: 'a', pid: 1, started: 1 }, look())).not.toThrow();
  });
});
