import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { addGlobalFlags } from '../src/cli/argv.ts';
import { COMMANDS } from '../src/cli/command-table.ts';
import { ROOT, runCli } from './support/run-cli.ts';

describe('help', () => {
  it.each([[['--help']], [['-h']], [['help']], [['help', '--help']]])('%j prints the overview on stdout', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('usage: clawai COMMAND');
    for (const { name } of COMMANDS) expect(name.includes(' ') || stdout.includes(`  ${name} `) || name === 'schema').toBe(true);
  });

  it('without arguments goes to stderr with exit code 2: nothing was done', async () => {
    const { code, stdout, stderr } = await runCli([]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('usage: clawai COMMAND');
  });

  it('of a group prints its commands, and is an error where one was needed', async () => {
    expect(await runCli(['policy'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('policy lint') });
    expect(await runCli(['policy', '--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('policy lint') });
    expect(await runCli(['mcp', 'registry'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('registry show'),
    });
    for (const words of [
      ['mcp', 'registry', '--help'],
      ['help', 'mcp', 'registry'],
    ]) {
      const { code, stdout } = await runCli(words);
      expect([code, stdout]).toEqual([0, expect.stringContaining('mcp registry show')]);
      expect(stdout).not.toContain('mcp calls');
    }
    expect(await runCli(['help', 'policy'])).toMatchObject({ code: 0, stdout: expect.stringContaining('policy test') });
  });

  it.each([[['policy', 'test', '--help']], [['policy', 'test', '--polciy', 'x', '-h']], [['help', 'policy', 'test']]])(
    '%j prints the flags of one command',
    async (args) => {
      const { code, stdout, stderr } = await runCli(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('usage: clawai policy test [FLAGS]');
    },
  );

  it.each(['proxy', 'run', 'hook'])('of %s goes to stdout too: who asks for help speaks no protocol', async (name) => {
    const { code, stdout, stderr } = await runCli([name, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`usage: clawai ${name}`);
    expect((await runCli(['help', name])).stdout).toBe(stdout);
  });

  it('of a name of before says the new one, and the name goes on working without a word', async () => {
    expect((await runCli(['help', 'schema'])).stdout).toMatch(/^`clawai schema` is the old name of `clawai policy schema`/);
    expect((await runCli(['policy', 'check', '-h'])).stdout).toMatch(/^`clawai policy lint` replaces/);
    expect((await runCli(['audit', '--help'])).stdout).toContain('audit verify  The old name of clawai log verify.');
    const env = { XDG_STATE_HOME: '/nonexistent' };
    for (const [old, now] of [
      [
        ['schema', 'policy'],
        ['policy', 'schema', 'policy'],
      ],
      [
        ['audit', 'verify', '--json'],
        ['log', 'verify', '--json'],
      ],
      [
        ['audit', 'export', '--since', '1h'],
        ['log', 'export', '--since', '1h'],
      ],
    ] as const)
      expect(await runCli(old, { env })).toEqual(await runCli(now, { env }));
  });
});

describe('the version', () => {
  it.each([['--version'], ['-V']])('%s is that of the package', async (flag) => {
    const { version } = JSON.parse(await readFile(`${ROOT}/package.json`, 'utf8'));
    expect(await runCli([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('flags of every command', () => {
  const machine = { env: { XDG_STATE_HOME: '/nonexistent/state', XDG_CONFIG_HOME: '/nonexistent/config' } };

  it.each(COMMANDS.filter(({ name }) => !['proxy', 'run', 'hook'].includes(name)))(
    '$name has -q, -v and --color',
    async (entry) => {
      const { args } = addGlobalFlags(await entry.load());
      expect(args).toMatchObject({ quiet: { letter: 'q' }, verbose: { letter: 'v' }, color: { type: 'enum' } });
    },
  );

  it('-v tells on stderr what counts, and nothing else is otherwise', async () => {
    const plain = await runCli(['policy', 'lint'], machine);
    const verbose = await runCli(['policy', 'lint', '-v'], machine);
    expect([verbose.code, verbose.stdout]).toEqual([plain.code, plain.stdout]);
    expect(verbose.stderr).toMatch(
      /^clawai: version .*\nclawai: config: none\nclawai: policy: .*default\.toml \(shipped\)\nclawai: store: \/nonexistent\/state\/clawai\/clawai\.db\n/,
    );
    expect(verbose.stderr).toMatch(/\nclawai: exit code 0 after \d+ ms\n$/);
  });

  it.each([
    [['policy', 'lint'], ['-q']],
    [['log', '--calls'], ['-q']],
    [['mcp', 'registry', 'list'], ['-q']],
    [['policy', 'check', '--policy', 'policies/strict.toml'], ['-q']],
    [['policy', 'fmt', '--check', 'policies/strict.toml'], ['-q']],
  ])('%j says nothing with -q where nothing is wrong', async (command, quiet) => {
    expect(await runCli([...command, ...quiet], { ...machine, cwd: ROOT })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('-q leaves out what is fine, and nothing of what is wrong', async () => {
    const loud = await runCli(['doctor'], machine);
    const quiet = await runCli(['doctor', '-q'], machine);
    expect(quiet.code).toBe(loud.code);
    const lines = (text: string, wanted: RegExp): string[] =>
      text
        .replaceAll(/ +/g, ' ')
        .split('\n')
        .filter((line) => wanted.test(line));
    expect(lines(quiet.stdout, /^\w/)).toEqual(lines(loud.stdout, /^(?:warn|fail) /));
    expect((await runCli(['doctor', '-q', '--json'], machine)).stdout).toBe((await runCli(['doctor', '--json'], machine)).stdout);
  });
});

describe('a command line that cannot be run', () => {
  it.each<[string[], string]>([
    [['polciy'], 'clawai: unknown command "polciy"\n  did you mean clawai policy?\n'],
    [['lint'], 'clawai: unknown command "lint"\n  did you mean clawai policy lint?\n'],
    [['lnt', 'x'], 'clawai: unknown command "lnt"\n  did you mean clawai policy lint?\n'],
    [['log', 'calls'], 'clawai: unknown command "log calls"\n  did you mean clawai log --calls?\n'],
    [
      ['log', '--action', 'blok'],
      'clawai: --action: "blok" is unknown; it must be allow, block, alert, hide, redact or prompt\n  did you mean --action block?\n',
    ],
    [['status', 'check'], 'clawai: unexpected argument "check"\n  did you mean --check?\n'],
    [['-v'], 'clawai: -v is about a command\n  write it behind the command; clawai --version prints the version\n'],
    [['status', '-q', '-v'], 'clawai: --quiet and --verbose contradict each other\n  give one of them\n'],
    [['proxy', '-q', '--', 'true'], 'clawai: unknown flag -q\n  see clawai help proxy\n'],
    [['calls'], 'clawai: unknown command "calls"\n  did you mean clawai log --calls?\n'],
    [['policy', 'lnt'], 'clawai: unknown command "policy lnt"\n  did you mean clawai policy lint?\n'],
    [['log', 'vrify'], 'clawai: unknown command "log vrify"\n  did you mean clawai log verify?\n'],
    [['policy', 'diff', '--fix'], 'clawai: unknown command "policy diff"\n  did you mean clawai policy replay --against?\n'],
    [['policy', 'nonsense'], 'clawai: unknown command "policy nonsense"\n  see clawai --help\n'],
    [['help', 'shcema'], 'clawai: unknown command "shcema"\n  did you mean clawai policy schema?\n'],
    [['polciy', 'test'], 'clawai: unknown command "polciy"\n  did you mean clawai policy test?\n'],
    [['policy', 'tset'], 'clawai: unknown command "policy tset"\n  did you mean clawai policy test?\n'],
    [['mcp', 'registry', 'lst'], 'clawai: unknown command "mcp registry lst"\n  did you mean clawai mcp registry list?\n'],
    [['mcp', 'registy'], 'clawai: unknown command "mcp registy"\n  did you mean clawai mcp registry?\n'],
    [['prxy', '--', 'x'], 'clawai: unknown command "prxy"\n  did you mean clawai proxy?\n'],
    [['help', 'nonsense'], 'clawai: unknown command "nonsense"\n  see clawai --help\n'],
    [['constructor'], 'clawai: unknown command "constructor"\n  see clawai --help\n'],
    [[''], 'clawai: unknown command ""\n  see clawai --help\n'],
    [['--polciy', 'x', 'policy', 'test'], 'clawai: unknown flag --polciy\n  the command comes first, its flags after it\n'],
    [['--version', 'x'], 'clawai: --version stands alone\n  clawai version says more\n'],
    [['--', 'x'], 'clawai: a command is missing before --\n  write clawai proxy -- CMD\n'],
    [['proxy', '--polciy', 'x', '--', 'true'], 'clawai: unknown flag --polciy\n  did you mean --policy?\n'],
  ])('%j', async (args, stderr) => {
    expect(await runCli(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('hazard 23: a misspelt flag before -- starts nothing', async () => {
    const witness = ['sh', '-c', 'echo started; echo started >&2'];
    const { code, stdout, stderr } = await runCli(['proxy', '--polciy', 'strict.toml', '--', ...witness]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('started');
  });
});

/**
 * Packages that every start loads: citty, which reads the flags of every command, is 8 kB in the bundle, and a file of its own for
 * it is no faster.
 */
const PACKAGES_AT_START = ['citty'];

describe('the start', () => {
  it('of proxy loads only what every command needs: all other imports of main are lazy', async () => {
    const loaded = new Set<string>();
    const packages = new Set<string>();
    const visit = async (file: string): Promise<void> => {
      if (loaded.has(file)) return;
      loaded.add(file);
      const text = await readFile(`${ROOT}/src/${file}`, 'utf8');
      for (const [, specifier = ''] of text.matchAll(/^import (?!type)[^;]* from '([^']+)'/gm)) {
        if (specifier.startsWith('.')) await visit(new URL(specifier, `file:///${file}`).pathname.slice(1));
        else if (!specifier.startsWith('node:')) packages.add(specifier);
      }
    };
    await visit('main.ts');
    expect([...packages]).toEqual(PACKAGES_AT_START);
    expect([...loaded].toSorted()).toEqual(['cli/argv.ts', 'cli/command-table.ts', 'errors.ts', 'main.ts', 'suggest.ts']);
  });
});

describe('stdout that nobody reads', () => {
  it('neither crashes a command nor changes its exit code', async () => {
    const entry = new URL('../src/main.ts', import.meta.url).href;
    const script = `setTimeout(() => import(${JSON.stringify(entry)}).then(({ main }) => main(['--help'])), 100)`;
    const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, stderr]).toEqual([0, '']);
  });
});
