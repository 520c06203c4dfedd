import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  mkdtempSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileHash } from '../../../src/wrap/files/change-file.ts';
import { StateFolder, sha256 } from '../../../src/wrap/files/state-folder.ts';
import { LAUNCHER, WrapMachine } from '../../support/wrap-machine.ts';

const NOBODY = 65_534;
const CONFIG = '.claude.json';
const TEXT = '{\n  "numStartups": 3,\n  "mcpServers": { "a": { "command": "npx", "args": ["a"] }, "b": { "command": "b" } }\n}';

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
});
afterEach(() => machine.remove());

function steps(output: string): readonly string[] {
  return (JSON.parse(output) as { steps: string[] }).steps;
}

describe('a process that is killed', () => {
  it('the steps are all that change something, the record before the file', () => {
    machine.write(CONFIG, TEXT);
    const made = steps(machine.run('wrap').output);
    expect(made.indexOf('pristine:replace')).toBeLessThan(made.indexOf('record:replace'));
    expect(made.indexOf('record:flush-folder')).toBeLessThan(made.indexOf('config:create'));
    expect(made.filter((step) => step === 'config:replace')).toHaveLength(1);
    expect(made.slice(-4)).toEqual(['record:flush-folder', 'lock:release', 'lock:disown', 'lock:release']);
  });

  it.each([
    [CONFIG, TEXT],
    ['.codex/config.toml', '# c\n[mcp_servers.a] # d\ncommand = \'npx\'\nargs = [ "a", ]\n[mcp_servers]\nb.command = "b"'],
    ['.config/goose/config.yaml', 'extensions:\n  a: {cmd: npx, args: [a]} # c\n  b:\n    cmd: >-\n      b\n\n'],
  ])(
    'at any step of wrapping leaves %s old or new, and the next unwrap gives back every byte',
    { tags: 'long' },
    async (config, text) => {
      machine.write(config, text);
      const count = steps(machine.run('wrap').output).length;
      const after = machine.read(config);
      machine.run('unwrap');
      expect(count).toBeGreaterThan(10);
      const seen = new Set<string>();
      for (let endAt = 1; endAt <= count; endAt++) {
        machine.write(config, text);
        expect(machine.run('wrap', { endAt }).signal, `step ${endAt}`).toBe('SIGKILL');
        const now = machine.read(config);
        expect([text, after], `step ${endAt}`).toContain(now);
        seen.add(now);
        const states = machine.status()[0]?.servers.map(({ state }) => state);
        expect(states, `step ${endAt}`).toEqual(now === text ? ['unwrapped', 'unwrapped'] : ['wrapped', 'wrapped']);
        // Claude's lock says nothing of its holder, so that the dead one's would be waited for.
        rmSync(join(machine.home, `${config}.lock`), { recursive: true, force: true });
        await machine.unwrap();
        expect(machine.read(config), `step ${endAt}`).toBe(text);
        expect(machine.remembered().filter((name) => name.endsWith('.json'))).toEqual([]);
      }
      await machine.wrap();
      await machine.unwrap();
      expect(machine.remembered()).toEqual([]);
      expect(machine.beside(config)).toEqual([basename(config)]);
      expect(seen.size).toBe(2);
    },
  );

  it(
    'at any step of unwrapping leaves a config that is old or new, and the next wrap and unwrap work as ever',
    { tags: 'long' },
    async () => {
      machine.write(CONFIG, TEXT);
      await machine.wrap();
      const wrapped = machine.read(CONFIG);
      const count = steps(machine.run('unwrap').output).length;
      expect(count).toBeGreaterThan(8);
      for (let endAt = 1; endAt <= count; endAt++) {
        await machine.wrap();
        expect(machine.read(CONFIG)).toBe(wrapped);
        expect(machine.run('unwrap', { endAt }).signal, `step ${endAt}`).toBe('SIGKILL');
        expect([TEXT, wrapped], `step ${endAt}`).toContain(machine.read(CONFIG));
        rmSync(join(machine.home, `${CONFIG}.lock`), { recursive: true, force: true });
        await machine.unwrap();
        expect(machine.read(CONFIG), `step ${endAt}`).toBe(TEXT);
      }
    },
  );

  it('leaves nothing that stays beside the config', () => {
    machine.write(CONFIG, TEXT);
    const made = steps(machine.run('wrap').output);
    machine.run('unwrap');
    machine.run('wrap', { endAt: made.indexOf('config:replace') + 1 });
    expect(machine.beside(CONFIG).filter((name) => name.endsWith('.tmp'))).toHaveLength(1);
    rmSync(join(machine.home, `${CONFIG}.lock`), { recursive: true, force: true });
    machine.run('wrap');
    expect(machine.beside(CONFIG)).toEqual([CONFIG]);
  });
});

describe('what stands in the way', () => {
  it('a read-only file', async () => {
    machine.write(CONFIG, TEXT, 0o444);
    const [outcome] = await machine.wrap();
    expect(outcome?.error?.code).toBe('client_config_unwritable');
    expect(outcome?.error?.message).toMatch(/\.claude\.json cannot be written: permission denied/);
    expect(machine.read(CONFIG)).toBe(TEXT);
    expect(machine.beside(CONFIG)).toEqual([CONFIG]);
    expect(machine.remembered()).toEqual([]);
  });

  it('a read-only folder', () => {
    machine.write('.cursor/mcp.json', TEXT, 0o666);
    chmodSync(join(machine.home, '.cursor'), 0o555);
    chmodSync(machine.folder, 0o777);
    const { output } = machine.run('wrap', process.getuid?.() === 0 ? { uid: NOBODY } : {});
    expect(JSON.parse(output)).toMatchObject({ files: [{ error: { code: 'client_config_unwritable' } }] });
    expect(machine.read('.cursor/mcp.json')).toBe(TEXT);
    chmodSync(join(machine.home, '.cursor'), 0o755);
    expect(machine.beside('.cursor/mcp.json')).toEqual(['mcp.json']);
  });

  it('a state folder that cannot be made', async () => {
    machine.write(CONFIG, TEXT);
    writeFileSync(join(machine.folder, 'state'), '');
    const [outcome] = await machine.wrap();
    expect(outcome?.error?.code).toBe('wrap_state_unwritable');
    expect(machine.read(CONFIG)).toBe(TEXT);
  });

  it('a full disk', async ({ skip }) => {
    const disk = join(machine.home, '.cursor');
    mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0) skip('nothing can be mounted here');
    try {
      writeFileSync(join(disk, 'mcp.json'), TEXT);
      spawnSync('sh', ['-c', `head -c 200000 /dev/zero > ${join(disk, 'filler')}`]);
      const [outcome] = await machine.wrap();
      expect(outcome?.error).toMatchObject({ code: 'client_config_unwritable', hint: 'free some space and try again' });
      expect(readFileSync(join(disk, 'mcp.json'), 'utf8')).toBe(TEXT);
      expect(readdirSync(disk).toSorted()).toEqual(['filler', 'mcp.json']);
      expect(machine.remembered()).toEqual([]);
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  it('a step that fails, whichever it is', async () => {
    machine.write(CONFIG, TEXT);
    const made = steps(machine.run('wrap').output);
    machine.run('unwrap');
    for (let failAt = 1; failAt <= made.indexOf('config:replace') + 1; failAt++) {
      let at = 0;
      const checkpoint = (): void => {
        if (++at === failAt) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      };
      const [outcome] = await machine.wrap({ state: new StateFolder(machine.statePath, checkpoint), checkpoint });
      const states = machine.status()[0]?.servers.map(({ state }) => state);
      // A folder that can't be flushed is no failure: the change is made, and only a power cut could undo it.
      if (made[failAt - 1]?.endsWith('flush-folder') === true) {
        expect(outcome?.error).toBeUndefined();
        expect(states).toEqual(['wrapped', 'wrapped']);
        await machine.unwrap();
      } else {
        expect(outcome?.error?.message).toMatch(/the disk is full/);
        expect(states).toEqual(['unwrapped', 'unwrapped']);
      }
      expect(machine.read(CONFIG)).toBe(TEXT);
      expect(machine.beside(CONFIG)).toEqual([CONFIG]);
      expect(machine.remembered()).toEqual([]);
    }
  });

  it('a link that leads nowhere, one that leads in a circle, and a folder', async () => {
    symlinkSync(join(machine.home, 'missing.json'), join(machine.home, CONFIG));
    expect((await machine.wrap())[0]?.error?.message).toMatch(/is a broken link$/);
    rmSync(join(machine.home, CONFIG));
    symlinkSync(CONFIG, join(machine.home, CONFIG));
    expect((await machine.wrap())[0]?.error?.message).toMatch(/links lead in a circle/);
    expect(machine.beside(CONFIG)).toEqual([CONFIG]);
  });
});

describe('a hard link', () => {
  it('keeps all its names, and is refused and named by each command that would change it', async () => {
    const file = machine.write(CONFIG, TEXT);
    const other = machine.write('.cursor/mcp.json', '{"mcpServers": {"c": {"command": "c"}}}');
    await machine.wrap({ selection: { servers: ['c'] } });
    const wrapped = readFileSync(other, 'utf8');
    linkSync(file, join(machine.home, 'copy.json'));
    linkSync(other, join(machine.home, 'other.json'));
    const message = expect.stringMatching(/is a hard link: the file has 2 names/);
    for (const outcomes of [machine.plan(), await machine.wrap()])
      expect(outcomes.map(({ error, report }) => error?.message ?? report?.entries.map(({ action }) => action))).toEqual([
        message,
        ['wrapped'],
      ]);
    for (const outcomes of [machine.planUnwrap(), await machine.unwrap()])
      expect(outcomes.map(({ error, report }) => error?.message ?? report?.entries)).toEqual([[], message]);
    expect([file, other].map((path) => [readFileSync(path, 'utf8'), statSync(path).nlink])).toEqual([
      [TEXT, 2],
      [wrapped, 2],
    ]);
    // Its own copy can be unwrapped.
    rmSync(join(machine.home, 'other.json'));
    await machine.unwrap();
    expect(readFileSync(other, 'utf8')).not.toContain(LAUNCHER[1]);
  });
});

describe('what is kept', () => {
  it('hazard 47: links stay links, through a chain of them, and their target is written where it is', async () => {
    const target = machine.write('dotfiles/claude.json', TEXT);
    symlinkSync(target, join(machine.home, 'dotfiles', 'link.json'));
    symlinkSync('dotfiles/link.json', join(machine.home, CONFIG));
    await machine.wrap();
    expect(readlinkSync(join(machine.home, CONFIG))).toBe('dotfiles/link.json');
    expect(readFileSync(target, 'utf8')).toContain(LAUNCHER[1]);
    expect(lstatSync(target).isFile()).toBe(true);
    await machine.unwrap();
    expect(readFileSync(target, 'utf8')).toBe(TEXT);
    expect(machine.beside('dotfiles/x')).toEqual(['claude.json', 'link.json']);
  });

  it('hazard 47: folders that are links, with one file for three clients, in names with spaces and of other scripts', async () => {
    const target = machine.write('dot files 日本/ü/mcp.json', TEXT);
    symlinkSync('dot files 日本/ü', join(machine.home, '.cursor'));
    symlinkSync('dot files 日本/ü', join(machine.home, '.lmstudio'));
    mkdirSync(join(machine.home, '.junie'));
    symlinkSync('../dot files 日本/ü', join(machine.home, '.junie', 'mcp'));
    const [outcome, ...others] = await machine.wrap();
    expect([outcome?.clients, others]).toEqual([['cursor', 'junie', 'lm-studio'], []]);
    expect(readFileSync(target, 'utf8')).toContain(LAUNCHER[1]);
    expect(machine.status().map(({ servers }) => servers.map(({ state }) => state))).toEqual([['wrapped', 'wrapped']]);
    await machine.unwrap();
    expect(readFileSync(target, 'utf8')).toBe(TEXT);
    expect(readlinkSync(join(machine.home, '.cursor'))).toBe('dot files 日本/ü');
  });

  it.each([0o600, 0o640, 0o664])('the permissions %o', async (mode) => {
    const file = machine.write(CONFIG, TEXT);
    chmodSync(file, mode);
    await machine.wrap();
    expect(statSync(file).mode & 0o777).toBe(mode);
  });

  it('the owner, for root', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only root can give files away');
    const file = machine.write(CONFIG, TEXT);
    chownSync(file, NOBODY, NOBODY);
    await machine.wrap();
    expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: NOBODY });
  });

  it('secrets: our state is for the user alone', async () => {
    machine.write(CONFIG, TEXT);
    await machine.wrap();
    expect(statSync(machine.statePath).mode & 0o777).toBe(0o700);
    expect(machine.remembered()).toHaveLength(2);
    for (const name of machine.remembered()) expect(statSync(join(machine.statePath, name)).mode & 0o777).toBe(0o600);
  });
});

describe('hazard 48: the client writes its file while we do', () => {
  /** Lets something happen right before the bytes are compared for the last time. */
  function whenComparing(action: (time: number) => void): (step: string) => void {
    let time = 0;
    return (step) => {
      if (step === 'config:compare') action(++time);
    };
  }

  it('in between: what it wrote is kept, and wrapped', async () => {
    machine.write(CONFIG, TEXT);
    const checkpoint = whenComparing((time) => {
      if (time === 1) machine.write(CONFIG, TEXT.replace('3', '4').replace('"b": {', '"c": { "command": "c" }, "b": {'));
    });
    const [outcome] = await machine.wrap({ checkpoint });
    expect(outcome?.report?.entries.map(({ server, action }) => [server, action])).toEqual([
      ['a', 'wrap'],
      ['c', 'wrap'],
      ['b', 'wrap'],
    ]);
    expect(JSON.parse(machine.read(CONFIG))).toMatchObject({ numStartups: 4, mcpServers: { c: { command: LAUNCHER[0] } } });
    await machine.unwrap();
    expect(machine.read(CONFIG)).toBe(TEXT.replace('3', '4').replace('"b": {', '"c": { "command": "c" }, "b": {'));
  });

  it('again and again: it is left alone and said so', async () => {
    machine.write(CONFIG, TEXT);
    const checkpoint = whenComparing((time) => machine.write(CONFIG, TEXT.replace('3', String(10 + time))));
    const [outcome] = await machine.wrap({ checkpoint });
    expect(outcome?.error).toMatchObject({ code: 'client_config_busy', hint: 'quit Claude Code and try again' });
    expect(JSON.parse(machine.read(CONFIG))).toMatchObject({ mcpServers: { b: { command: 'b' } } });
    expect(machine.status()[0]?.servers.map(({ state }) => state)).toEqual(['unwrapped', 'unwrapped']);
    expect(machine.remembered().filter((name) => name !== 'lock')).toEqual([]);
  });

  it('at once after us: the file is wrapped again', async () => {
    machine.write(CONFIG, TEXT);
    let isFirst = true;
    const checkpoint = (step: string): void => {
      if (step !== 'config:flush-folder' || !isFirst) return;
      isFirst = false;
      machine.write(CONFIG, TEXT.replace('3', '5'));
    };
    await machine.wrap({ checkpoint });
    expect(JSON.parse(machine.read(CONFIG))).toMatchObject({ numStartups: 5, mcpServers: { b: { command: LAUNCHER[0] } } });
    await machine.unwrap();
    expect(machine.read(CONFIG)).toBe(TEXT.replace('3', '5'));
  });

  it('under its lock: we wait for it, then give up and say so', async () => {
    machine.write(CONFIG, TEXT);
    mkdirSync(join(machine.home, `${CONFIG}.lock`));
    const [outcome] = await machine.wrap({ clientLockWaitMs: 200 });
    expect(outcome?.error).toMatchObject({ code: 'client_config_busy' });
    expect(outcome?.error?.message).toMatch(/\.claude\.json is being changed by another program/);
    expect(machine.read(CONFIG)).toBe(TEXT);
    expect(machine.beside(CONFIG)).toEqual([CONFIG, `${CONFIG}.lock`]);
  });

  it('under a lock that it left behind: we take it over', async () => {
    machine.write(CONFIG, TEXT);
    const lock = join(machine.home, `${CONFIG}.lock`);
    mkdirSync(lock);
    utimesSync(lock, Date.now() / 1000 - 11, Date.now() / 1000 - 11);
    await machine.wrap({ clientLockWaitMs: 200 });
    expect(machine.read(CONFIG)).toContain(LAUNCHER[1]);
    expect(machine.beside(CONFIG)).toEqual([CONFIG]);
  });

  it('and takes over our lock: we do not write', async () => {
    machine.write(CONFIG, TEXT);
    const lock = join(machine.home, `${CONFIG}.lock`);
    const checkpoint = (step: string): void => {
      if (step !== 'config:compare') return;
      rmSync(lock, { recursive: true });
      mkdirSync(lock);
      utimesSync(lock, 1, 1);
    };
    const [outcome] = await machine.wrap({ checkpoint });
    expect(outcome?.error?.message).toMatch(/took over the lock/);
    expect(machine.read(CONFIG)).toBe(TEXT);
    // The lock is another's now.
    expect(machine.beside(CONFIG)).toEqual([CONFIG, `${CONFIG}.lock`]);
  });

  it('never while we write it: its lock is held', async () => {
    machine.write(CONFIG, TEXT);
    const held: boolean[] = [];
    const checkpoint = (step: string): void => {
      if (step.startsWith('config:')) held.push(machine.beside(CONFIG).includes(`${CONFIG}.lock`));
    };
    await machine.wrap({ checkpoint });
    expect(held.length).toBeGreaterThan(4);
    expect(held).not.toContain(false);
  });
});

describe('many at once', () => {
  it('ten wraps queue up, and each server is wrapped once', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `s${i}`);
    const text = JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) });
    machine.write(CONFIG, text);
    const outputs = await Promise.all(names.map((name) => machine.start('wrap', { servers: [name] })));
    expect(outputs.map((output) => (JSON.parse(output) as { files: unknown }).files)).toEqual(
      names.map((name) => [{ actions: [`${name} wrap`] }]),
    );
    const { mcpServers } = JSON.parse(machine.read(CONFIG)) as { mcpServers: Record<string, { args: string[] }> };
    expect(Object.values(mcpServers).map(({ args }) => args.at(-1))).toEqual(names);
    expect(machine.status()[0]?.servers.every(({ state }) => state === 'wrapped')).toBe(true);
    await machine.unwrap();
    expect(machine.read(CONFIG)).toBe(text);
  });
});

it.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000])('is that of all %d bytes', (length) => {
  const folder = mkdtempSync(join(tmpdir(), 'clawai-hash-'));
  const bytes = Buffer.alloc(length, 'abcdefg');
  writeFileSync(join(folder, 'x'), bytes);
  expect(fileHash(join(folder, 'x'))).toBe(sha256(bytes));
  rmSync(folder, { recursive: true });
});
