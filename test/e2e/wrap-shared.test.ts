/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/cli/machine/version.ts';
import { HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { CLIENTS } from '../support/clients.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import { ROOT } from '../support/run-cli.ts';
import { type Ended, Running } from '../support/running.ts';
import { serverPackage } from '../support/sandbox.ts';

const sandbox = useSandbox();

/** Files that teams commit, and the way to an entry in them. */
const FILES = ['.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json'];
const SERVER = '{ "command": "npx", "args": ["-y", "@x/files", "."] }';

function textOf(file: string, entries = `"files": ${SERVER}`): string {
  return `{\n  "${file.startsWith('.vscode') ? 'servers' : 'mcpServers'}": {\n    ${entries}\n  }\n}\n`;
}

/** A person with a machine of their own, and the project checked out there. */
class Person {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(name: string) {
    const { current } = sandbox;
    this.home = current.path(name);
    this.project = join(this.home, 'project');
    mkdirSync(this.project, { recursive: true });
    const within = (folder: string): string => join(this.home, folder);
    this.env = {
      ...current.env,
      HOME: this.home,
      XDG_CONFIG_HOME: within('config'),
      XDG_STATE_HOME: within('state'),
      XDG_CACHE_HOME: within('cache'),
    };
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.project, name)), { recursive: true });
    writeFileSync(join(this.project, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.project, name), 'utf8');
  }

  /** Puts all that is there under version control. */
  commit(): void {
    for (const words of [
      ['init', '-q'],
      ['add', '-A', '-f'],
    ]) {
      const { status, stderr } = spawnSync('git', ['-C', this.project, ...words], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    }
  }

  clawai(...args: readonly string[]): Promise<Ended> {
    const { env, project: cwd } = this;
    return new Running(sandbox.current.command(...args), { env, cwd }).close();
  }

  /** As typed, e.g. in a hint. */
  async type(command: string): Promise<void> {
    const words = Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
    const { code, stderr } = await this.clawai(...words.slice(1));
    if (words[0] !== 'clawai' || code !== 0) throw new Error(`${command}: ${stderr}`);
  }

  async rows(): Promise<readonly Row[]> {
    const { files } = JSON.parse((await this.clawai('status', '--json')).stdout) as { files: { servers: Row[] }[] };
    return files.flatMap(({ servers }) => servers);
  }

  unwrap(): Promise<Ended> {
    return runAtTerminal(Object.assign(Object.create(sandbox.current), { env: this.env }), ['unwrap', '--all'], this.project);
  }
}

interface Row {
  readonly server: string;
  readonly scope: string;
  readonly state: string;
  readonly counts_as_unwrapped: boolean;
  readonly weakness: string | null;
  readonly obstacle: string | null;
  readonly commands: readonly string[];
}

function open(rows: readonly Row[]): readonly string[] {
  return rows.filter((row) => row.counts_as_unwrapped).map(({ server }) => server);
}

describe('a committed config, wrapped for every machine', () => {
  it.each([
    ['npx', ['npx', '-y', `clawai@${VERSION}`]],
    ['name', ['clawai']],
  ])('--portable %s: counts where it was wrapped, and elsewhere after one command that status names', async (kind, launcher) => {
    const me = new Person('me');
    for (const file of FILES) me.write(file, textOf(file));
    me.commit();
    expect((await me.clawai('status', '--check')).code).toBe(1);
    const planned = await me.clawai('wrap', '--all', '--portable', kind, '--dry-run');
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('3 servers in 3 files would be wrapped')]);
    expect(FILES.map((file) => me.read(file))).toEqual(FILES.map((file) => textOf(file)));
    expect((await me.clawai('wrap', '--all', '--portable', kind)).code).toBe(0);
    const [command, ...before] = launcher;
    const args = [...before, 'proxy', '--server', 'files', '--', 'npx', '-y', '@x/files', '.'].map((arg) => JSON.stringify(arg));
    for (const file of FILES) {
      expect(me.read(file)).toBe(textOf(file, `"files": { "command": "${command}", "args": [${args.join(', ')}] }`));
    }
    expect((await me.clawai('status', '--check')).code).toBe(0);
    const again = await me.clawai('wrap', '--all');
    expect(again.stdout).toContain('There was nothing to change');
    const { stdout: diagnosis } = await me.clawai('doctor');
    expect(diagnosis).not.toMatch(/not wrapped|another clawai/);
    if (kind === 'name') expect(diagnosis).toMatch(/starts clawai, which is missing\n +-> npm install --global clawai/);

    const mate = new Person('mate');
    cpSync(me.project, mate.project, { recursive: true });
    const fresh = await mate.clawai('status', '--check');
    expect([fresh.code, fresh.stdout]).toEqual([1, expect.stringContaining('3 not protected: `clawai wrap --all`')]);
    expect(fresh.stdout).toMatch(/not enforced +files .*it came with a project/);
    await mate.type('clawai wrap --all');
    expect((await mate.clawai('status', '--check')).code).toBe(0);
    expect(FILES.map((file) => mate.read(file))).toEqual(FILES.map((file) => me.read(file)));

    if (!HAS_TERMINAL) return;
    expect((await me.unwrap()).stdout).toContain('3 of them to the byte as before');
    expect(FILES.map((file) => me.read(file))).toEqual(FILES.map((file) => textOf(file)));
  });

  it.each(['npx', 'name'])('--portable %s: the command that was written holds the policy', async (kind) => {
    const me = new Person('me');
    me.write(
      '.mcp.json',
      JSON.stringify({ mcpServers: { files: { command: process.execPath, args: [serverPackage('filesystem'), me.home] } } }),
    );
    me.commit();
    expect((await me.clawai('wrap', 'files', '--portable', kind)).code).toBe(0);
    const bin = sandbox.current.path('bin');
    mkdirSync(bin);
    symlinkSync(join(ROOT, 'bin', 'clawai.mjs'), join(bin, 'clawai'));
    // Stands in for npx, which would fetch that version.
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\ntest "$1 $2" = "-y clawai@${VERSION}" && shift 2 && exec clawai "$@"\n`);
    chmodSync(join(bin, 'npx'), 0o755);
    const { command, args } = JSON.parse(me.read('.mcp.json')).mcpServers.files as { command: string; args: string[] };
    const session = await CLIENTS['SDK 1']({ command: [command, ...args], env: { ...me.env, PATH: `${bin}:${me.env['PATH']}` } });
    mkdirSync(join(me.home, '.ssh'));
    writeFileSync(join(me.home, '.ssh', 'id_rsa'), 'secret');
    const denied = await session.callTool('read_text_file', { path: join(me.home, '.ssh', 'id_rsa') });
    await session.close();
    expect(denied).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^clawai denied/) }] });
  });

  it('has no URL of this machine, no policy of yours, and no two ways at once', async () => {
    const me = new Person('me');
    me.write('.mcp.json', textOf('.mcp.json', `"files": ${SERVER}`));
    for (const flags of [['--policy', 'p.toml'], ['--local'], ['--scope', 'user']]) {
      const { code, stderr } = await me.clawai('wrap', '--all', '--portable', 'npx', ...flags);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`--portable and ${flags[0]}`.replace('--portable and --local', '--local and --portable')),
      ]);
    }
    const undecided = await me.clawai('wrap', '--portable', 'name');
    expect([undecided.code, undecided.stderr]).toEqual([2, expect.stringContaining('`clawai wrap --all --portable name`')]);
    expect(me.read('.mcp.json')).toBe(textOf('.mcp.json'));
  });
});

describe('hazard 3: a cloned repository', () => {
  const proxy = ['proxy', '--server', 'NAME', '--', 'npx', 'x'];
  const npx = ['npx', '-y', `clawai@${VERSION}`];
  const ENTRIES: Readonly<Record<string, { readonly words: readonly string[]; readonly env?: object; readonly more?: object }>> =
    {
      observe: { words: [...npx, 'proxy', '--observe', '--', 'npx', 'x'] },
      config: { words: [...npx, 'proxy', '--server', 'config', '--config', './c.toml', '--', 'npx', 'x'] },
      policy: { words: ['clawai', 'proxy', '--policy=./p.toml', '--', 'npx', 'x'] },
      renamed: { words: [...npx, 'proxy', '--server', 'trusted', '--', 'npx', 'x'] },
      fake: { words: ['npx', '-y', `clawai-evil@${VERSION}`, ...proxy] },
      alias: { words: ['npx', '-y', 'clawai@npm:evil', ...proxy] },
      old: { words: ['npx', '-y', 'clawai@0.0.9', ...proxy] },
      latest: { words: ['npx', '-y', 'clawai', ...proxy] },
      registry: { words: ['npx', '--registry=http://evil.example', '-y', `clawai@${VERSION}`, ...proxy] },
      own: { words: ['./clawai', ...proxy] },
      variable: { words: [...npx, ...proxy], env: { CLAWAI_POLICY: './p.toml' } },
      home: { words: [...npx, ...proxy], env: { HOME: './home' } },
      fetched: { words: [...npx, ...proxy], env: { npm_config_registry: 'http://evil.example' } },
      path: { words: ['clawai', ...proxy], env: { PATH: './bin' } },
      code: { words: ['clawai', ...proxy], env: { XDG_CACHE_HOME: '/p' } },
      library: { words: ['clawai', ...proxy], env: { LD_AUDIT: './evil.so' } },
      list: { words: ['clawai', ...proxy], env: { NODE_OPTIONS: ['--require=./evil.cjs'] } },
      file: { words: ['clawai', ...proxy], more: { envFile: '${workspaceFolder}/.env' } },
      colon: { words: ['clawai', ...proxy], more: { envFile: 'colon.env' } },
      endless: { words: ['clawai', ...proxy], more: { envFile: 'zero.env' } },
      folder: { words: [...npx, ...proxy], more: { cwd: './sub' } },
      false: { words: [...npx, ...proxy], more: { cwd: 'false' } },
    };

  it('brings nothing that counts, whatever is done without a look at it', async () => {
    const me = new Person('me');
    const servers = Object.entries(ENTRIES).map(([name, { words, env, more }]) => {
      const [command, ...args] = words.map((word) => (word === 'NAME' ? name : word));
      return [name, { command, args, env, ...more }];
    });
    const text = JSON.stringify({ mcpServers: Object.fromEntries(servers) }, undefined, 2);
    me.write('.cursor/mcp.json', text);
    me.write('.env', 'CLAWAI_POLICY=./p.toml\n');
    me.write('colon.env', '\uFEFFNODE_OPTIONS: --require=./evil.cjs\n');
    symlinkSync('/dev/zero', join(me.project, 'zero.env'));
    me.commit();
    expect(open(await me.rows())).toEqual(Object.keys(ENTRIES));
    expect((await me.clawai('wrap', '--all')).code).toBe(0);
    expect(open(await me.rows())).toEqual(Object.keys(ENTRIES));
    expect((await me.clawai('status', '--check')).code).toBe(1);
    expect(me.read('.cursor/mcp.json')).toBe(text);
  });

  it('brings no environment that counts in a place that one client alone reads', async () => {
    const me = new Person('me');
    const command = { path: 'npx', args: ['-y', `clawai@${VERSION}`, 'proxy', '--server', 'a', '--', 'x'] };
    const withEnv = { ...command, env: { NODE_OPTIONS: '--require=./evil.cjs' } };
    me.write('.zed/settings.json', JSON.stringify({ context_servers: { a: { command: withEnv } } }));
    await me.clawai('wrap', '--all');
    expect(await me.rows()).toMatchObject([{ counts_as_unwrapped: true, weakness: expect.stringContaining('NODE_OPTIONS') }]);
  });

  it.each([
    ['a copy of npx', 'node_modules/clawai/package.json', '{}', 'own copy'],
    ['a program', 'node_modules/.bin/clawai', '', 'own copy'],
    ['a package with a program', 'package.json', JSON.stringify({ bin: { [`clawai@${VERSION}`]: 'evil.js' } }), 'own copy'],
    ['a registry', '.npmrc', 'registry = http://evil.example\n', 'sets registry'],
  ])('that brings %s does not count after it was recorded either', async (_, name, content, why) => {
    const me = new Person('me');
    me.write(
      '.mcp.json',
      JSON.stringify({
        mcpServers: { a: { command: 'npx', args: ['-y', `clawai@${VERSION}`, 'proxy', '--server', 'a', '--', 'x'] } },
      }),
    );
    me.write(name, content);
    me.commit();
    await me.clawai('wrap', '--all');
    expect(await me.rows()).toMatchObject([{ counts_as_unwrapped: true, weakness: expect.stringContaining(why), commands: [] }]);
  });

  it('that changes what was wrapped does not count, and wrap does not take over what it brought', async () => {
    const me = new Person('me');
    me.write('.mcp.json', textOf('.mcp.json'));
    me.commit();
    await me.clawai('wrap', '--all', '--portable', 'npx');
    const wrapped = me.read('.mcp.json');
    for (const [from, to] of [
      ['"proxy"', '"proxy", "--policy", "./evil.toml"'],
      [VERSION, '0.0.9'],
      [`"npx", "args": ["-y", "clawai@${VERSION}", "proxy"`, '"./clawai", "args": ["proxy"'],
    ]) {
      me.write('.mcp.json', wrapped.replace(from ?? '', to ?? ''));
      const [row] = await me.rows();
      expect([to, row]).toEqual([to, expect.objectContaining({ counts_as_unwrapped: true })]);
      await me.type(row?.commands[0] ?? '');
      expect(open(await me.rows())).toEqual([]);
      expect(me.read('.mcp.json')).not.toContain('evil.toml');
    }
  });
});

describe.skipIf(!HAS_TERMINAL)("an entry of one's own", () => {
  const CONFIG = '{\n  "numStartups": 3,\n  "projects": {}\n}';

  it('goes before the committed one, which stays, and is taken away to the byte', async () => {
    const me = new Person('me');
    const text = textOf(
      '.mcp.json',
      `"files": { "command": "true", "env": { "K": "hunter2" } }, "b": { "command": "true", "args": [] }`,
    );
    me.write('.mcp.json', text);
    me.write('../.claude.json', CONFIG);
    me.commit();
    expect((await me.rows()).map(({ commands }) => commands.length)).toEqual([2, 2]);
    const planned = await me.clawai('wrap', '--all', '--local', '--dry-run');
    expect([planned.code, planned.stdout.includes('hunter2')]).toEqual([0, false]);
    expect((await me.clawai('wrap', '--all', '--local')).code).toBe(0);
    expect(me.read('.mcp.json')).toBe(text);
    const written = me.read('../.claude.json').toString();
    const { projects } = JSON.parse(written);
    expect(written).toBe(JSON.stringify({ numStartups: 3, projects }, undefined, 2));
    expect(projects[me.project].mcpServers.files).toMatchObject({
      args: expect.arrayContaining(['proxy', '--server', 'files', '--', 'true']),
      env: { K: 'hunter2' },
    });
    const { code, stdout } = await me.clawai('status', '--check');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/own entry +files +your own entry of this name goes before it/)]);
    expect((await me.clawai('wrap', '--all', '--local')).stdout).toContain('There was nothing to change');

    me.write('.mcp.json', text.replace('"args": []', '"args": ["new"]'));
    await me.clawai('wrap', '--all', '--local');
    expect(JSON.parse(me.read('../.claude.json')).projects[me.project].mcpServers.b.args.at(-1)).toBe('new');
    expect((await me.unwrap()).code).toBe(0);
    expect(me.read('../.claude.json')).toBe(CONFIG);
  });

  it('is no help where another client starts the committed one, and none is made of a hostile one', async () => {
    const me = new Person('me');
    me.write('.mcp.json', textOf('.mcp.json', `"files": ${SERVER}, "evil": { "command": "true", "env": { "HOME": "/evil" } }`));
    me.write('../.claude.json', CONFIG);
    me.write('../.copilot/config.json', '{}');
    me.commit();
    expect((await me.rows()).find(({ server }) => server === 'files')?.commands).toEqual(['clawai wrap --portable npx files']);
    expect((await me.clawai('wrap', '--all', '--local')).stdout).toMatch(
      /skipped +evil +its environment can give clawai another policy/,
    );
    expect(open((await me.rows()).filter(({ scope }) => scope === 'project'))).toEqual(['files', 'evil']);
    expect(me.read('../.claude.json')).not.toContain('evil');
  });

  it('needs a client that has such a scope', async () => {
    const me = new Person('me');
    me.write('.mcp.json', textOf('.mcp.json'));
    const { code, stderr } = await me.clawai('wrap', '--all', '--local');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--local writes to the config of Claude Code')]);
  });
});

describe.skipIf(!HAS_TERMINAL)('hazard 3: advice', () => {
  /** All that can be amiss, in one project and one home. */
  async function setUp(name: string): Promise<Person> {
    const me = new Person(name);
    const user = { 'in user': { command: 'true' }, moved: { command: 'true' }, '-x': { command: 'true' } };
    me.write('../.cursor/mcp.json', JSON.stringify({ mcpServers: user }));
    await me.clawai('wrap', '--all');
    me.write('../.cursor/mcp.json', JSON.stringify({ mcpServers: { ...user, moved: { command: 'other' } } }));
    me.write('../.claude.json', '{"mcpServers":{"seen":{"command":"clawai","args":["proxy","--observe","--","true"]}}}');
    me.write('.mcp.json', textOf('.mcp.json'));
    me.write(
      '.vscode/mcp.json',
      textOf('.vscode/mcp.json', '"old": { "command": "npx", "args": ["-y", "clawai@0.0.9", "proxy", "--", "x"] }'),
    );
    me.commit();
    return me;
  }

  it.each([0, 1])('that status and doctor give changes what it is about, whichever of both ways (%i)', async (which) => {
    const me = await setUp('me');
    const before = (await me.rows()).filter((row) => row.counts_as_unwrapped);
    expect(before.filter(({ commands }) => commands.length === 0).map(({ server }) => server)).toEqual(['seen']);
    const { checks } = JSON.parse((await me.clawai('doctor', '--json')).stdout) as { checks: { todo?: string }[] };
    const todos = checks.flatMap(({ todo }) => (todo?.startsWith('clawai wrap') === true ? todo.split(', or ') : []));
    const hints = (await me.clawai('status')).stdout.matchAll(/`(clawai wrap [^`]+)`/g);
    const commands = new Set([...todos, ...Array.from(hints, ([, command = '']) => command)]);
    expect(commands.size).toBeGreaterThan(2);
    for (const command of commands) {
      const isOther = command.includes(which === 0 ? '--local' : '--portable npx files');
      if (!isOther) await me.type(command);
    }
    expect(open(await me.rows())).toEqual(['seen']);
    const after = await me.clawai('status');
    expect(after.stdout).toContain('edit the entry');
    expect(after.stdout).not.toContain('`clawai wrap');
  });

  it('of wrap is the same, and says for another project where to go', async () => {
    const me = await setUp('me');
    const { stdout } = await me.clawai('wrap', '--all');
    expect(stdout).toContain('files: `clawai wrap --portable npx files`, or `clawai wrap --local files` does it');
    await me.clawai('wrap', '--portable', 'npx', 'files');
    me.write('.mcp.json', textOf('.mcp.json', '"files": { "command": "changed" }'));
    const { env } = me;
    const elsewhere = await new Running(sandbox.current.command('status'), { env, cwd: me.home }).close();
    expect(elsewhere.stdout).toContain('files: `cd ~/project && clawai wrap --portable npx files`');
  });

  it('that init gives is made of commands that there are', async () => {
    const me = new Person('me');
    const { stdout } = await me.clawai('init');
    const commands = Array.from(stdout.matchAll(/^ {2}(clawai \S+(?: -\S+)*)/gm), ([, command = '']) => command);
    expect(commands).toContain('clawai wrap --all --dry-run');
    for (const command of commands) if (!command.startsWith('clawai run')) await me.type(command);
  });
});
