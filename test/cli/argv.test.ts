import { describe, expect, it } from 'vitest';
import { asksForHelp, parseFlags, splitArgv } from '../../src/cli/argv.ts';
import { defineCommand } from '../../src/cli/command.ts';
import { ClawaiError } from '../../src/errors.ts';

const plain = defineCommand({
  meta: { name: 'policy test', description: 'x' },
  args: {
    policy: { type: 'string', hint: 'FILE', description: 'x' },
    'fixture-dir': { type: 'string', hint: 'DIR', description: 'x' },
    expect: { type: 'enum', options: ['allow', 'deny'], description: 'x' },
    json: { type: 'boolean', description: 'x' },
  },
  run: async () => 0,
});
const proxy = defineCommand({
  meta: { name: 'proxy', description: 'x' },
  args: {
    policy: { type: 'string', hint: 'FILE', description: 'x' },
    server: { type: 'string', hint: 'NAME', description: 'x' },
  },
  rest: { hint: 'CMD', what: 'the command', description: 'x' },
  run: async () => 0,
});
const needy = defineCommand({
  meta: { name: 'needy', description: 'x' },
  args: { policy: { type: 'string', hint: 'FILE', description: 'x', required: true } },
  run: async () => 0,
});

function errorOf(
  command: Parameters<typeof parseFlags>[0],
  words: readonly string[],
): { message: string; hint: string | undefined } {
  try {
    parseFlags(command, splitArgv(words));
  } catch (error) {
    if (error instanceof ClawaiError && error.code === 'usage') return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('nothing was wrong with it');
}

describe('splitArgv', () => {
  it.each<[string[], string[], string[] | undefined]>([
    [['proxy'], ['proxy'], undefined],
    [['proxy', '--'], ['proxy'], []],
    [
      ['proxy', '--server', 'a', '--', 'cmd', '-h'],
      ['proxy', '--server', 'a'],
      ['cmd', '-h'],
    ],
    [['proxy', '--', 'a', '--', 'b'], ['proxy'], ['a', '--', 'b']],
    [['--', '--'], [], ['--']],
  ])('%j', (argv, own, rest) => {
    expect(splitArgv(argv)).toEqual({ own, rest });
  });
});

describe('parseFlags', () => {
  it('reads every kind, in any order, with = or without', () => {
    const { flags, rest } = parseFlags(plain, splitArgv(['--json', '--expect=deny', '--policy', 'a b.toml', '--fixture-dir=-x']));
    expect(flags).toEqual({ policy: 'a b.toml', 'fixture-dir': '-x', expect: 'deny', json: true });
    expect(rest).toEqual([]);
  });

  it('takes a switch whose name begins with "no-" for what it is, and never for the opposite of another', () => {
    const command = defineCommand({
      meta: { name: 'run', description: 'x' },
      args: { llm: { type: 'boolean', description: 'x' }, 'no-llm': { type: 'boolean', description: 'x' } },
      run: async () => 0,
    });
    expect(parseFlags(command, splitArgv(['--no-llm'])).flags).toEqual({ llm: false, 'no-llm': true });
    expect(parseFlags(command, splitArgv(['--llm'])).flags).toEqual({ llm: true, 'no-llm': false });
    expect(parseFlags(command, splitArgv([])).flags).toEqual({ llm: false, 'no-llm': false });
  });

  it('takes a dash alone for a value, which is stdin', () => {
    expect(parseFlags(plain, splitArgv(['--policy', '-', '--json'])).flags).toMatchObject({ policy: '-', json: true });
  });

  it('says what was not given', () => {
    expect(parseFlags(plain, splitArgv([])).flags).toEqual({
      policy: undefined,
      'fixture-dir': undefined,
      expect: undefined,
      json: false,
    });
  });

  it('hazard 23: leaves everything after -- alone, whatever it looks like', () => {
    const rest = ['server', '-h', '--help', '--version', '--polciy', 'x', '--', '', '--policy'];
    const parsed = parseFlags(proxy, splitArgv(['--policy', 'p.toml', '--', ...rest]));
    expect(parsed).toEqual({ flags: { policy: 'p.toml', server: undefined }, words: [], rest });
    expect(asksForHelp(splitArgv(['--', ...rest]).own)).toBe(false);
  });

  it.each<[string, string[], string, string]>([
    ['a flag that is misspelt', ['--polciy', 'strict.toml'], 'unknown flag --polciy', 'did you mean --policy?'],
    ['a flag that is misspelt, with =', ['--polciy=strict.toml'], 'unknown flag --polciy', 'did you mean --policy?'],
    ['a flag in camel case', ['--fixtureDir', 'x'], 'unknown flag --fixtureDir', 'did you mean --fixture-dir?'],
    ['a flag with one dash', ['-policy', 'x'], 'unknown flag -policy', 'did you mean --policy?'],
    ['a letter', ['-p', 'x'], 'unknown flag -p', 'see clawai help policy test'],
    ['a negated flag', ['--no-json'], 'unknown flag --no-json', ''],
    ['a flag like a method of Object', ['--constructor'], 'unknown flag --constructor', ''],
    ['a flag like a prototype', ['--__proto__=x'], 'unknown flag --__proto__', ''],
    ['a flag with a long dash', ['–policy', 'x'], 'unexpected argument "–policy"', 'did you mean --policy?'],
    ['a word', ['x'], 'unexpected argument "x"', ''],
    ['an empty word', [''], 'unexpected argument ""', ''],
    ['no value', ['--policy'], '--policy needs a value: FILE', ''],
    ['an empty value', ['--policy='], '--policy needs a value: FILE', ''],
    ['a flag for a value', ['--policy', '--json'], '--policy needs a value: FILE', 'if --json is meant, write --policy=--json'],
    ['a value for a switch', ['--json=yes'], '--json takes no value', ''],
    ['a word behind a switch', ['--json', 'yes'], 'unexpected argument "yes"', ''],
    ['one flag twice', ['--policy', 'a', '--policy', 'b'], '--policy is given twice', ''],
    ['one switch twice', ['--json', '--json'], '--json is given twice', ''],
    [
      'a misspelt choice',
      ['--expect', 'dney'],
      '--expect: "dney" is unknown; it must be allow or deny',
      'did you mean --expect deny?',
    ],
    ['an unknown choice', ['--expect', 'block'], '--expect: "block" is unknown; it must be allow or deny', ''],
    ['-- where nothing may follow', ['--', 'x'], '`clawai policy test` takes nothing after --', ''],
    ['a bare -- where nothing may follow', ['--'], '`clawai policy test` takes nothing after --', ''],
  ])('refuses %s', (_case, words, message, hint) => {
    const error = errorOf(plain, words);
    expect(error.message).toBe(message);
    expect(error.hint).toContain(hint);
  });

  it.each<[string, string[], string, string]>([
    ['no --', ['--server', 'a'], '-- CMD is missing', 'write clawai proxy -- CMD'],
    ['nothing after --', ['--'], 'there is no command after --', 'write clawai proxy -- CMD'],
    ['an empty command', ['--', ''], 'there is no command after --', 'write clawai proxy -- CMD'],
    ['a command before --', ['npx', '-y', '--', 'x'], 'unexpected argument "npx"', 'clawai proxy -- npx'],
  ])('refuses %s where a command must follow', (_case, words, message, hint) => {
    const error = errorOf(proxy, words);
    expect(error.message).toBe(message);
    expect(error.hint).toContain(hint);
  });

  it('refuses a required flag that is missing', () => {
    expect(errorOf(needy, []).message).toBe('--policy is missing');
  });
});

describe('a letter that stands for a flag', () => {
  const log = defineCommand({
    meta: { name: 'log', description: 'x' },
    args: {
      follow: { type: 'boolean', letter: 'f', description: 'x' },
      json: { type: 'boolean', description: 'x' },
      file: { type: 'string', hint: 'FILE', description: 'x' },
    },
    run: async () => 0,
  });

  it.each([
    [['-f'], { follow: true, json: false }],
    [['--json', '-f'], { follow: true, json: true }],
    [['--follow'], { follow: true }],
    [[], { follow: false }],
    [['--file=-f'], { follow: false, file: '-f' }],
  ])('%j', (words, flags) => {
    expect(parseFlags(log, splitArgv(words)).flags).toMatchObject(flags);
  });

  it.each([
    [['-f', '-f'], '--follow is given twice'],
    [['-f', '--follow'], '--follow is given twice'],
    [['-ff'], 'unknown flag -ff'],
    [['-fj'], 'unknown flag -fj'],
    [['-f=true'], 'unknown flag -f'],
    [['-j'], 'unknown flag -j'],
    [['--f'], 'unknown flag --f'],
    [['--no-follow'], 'unknown flag --no-follow'],
    [['--file', '-f'], '--file needs a value: FILE'],
    [['-f', 'x'], 'unexpected argument "x"'],
  ])('%j is refused', (words, message) => {
    expect(errorOf(log, words).message).toBe(message);
  });

  it('is nothing to a command that has none', () => {
    expect(errorOf(plain, ['-p', 'x']).message).toBe('unknown flag -p');
  });
});

describe('words between flags', () => {
  const wrap = defineCommand({
    meta: { name: 'wrap', description: 'x' },
    words: { hint: 'SERVER…', description: 'x' },
    args: {
      client: { type: 'string', hint: 'CLIENT', description: 'x' },
      all: { type: 'boolean', description: 'x' },
    },
    run: async () => 0,
  });

  it.each<[string[], string[], { client: string | undefined; all: boolean }]>([
    [[], [], { client: undefined, all: false }],
    [['a'], ['a'], { client: undefined, all: false }],
    [['a', '--client', 'b', 'c'], ['a', 'c'], { client: 'b', all: false }],
    [['--all', 'a'], ['a'], { client: undefined, all: true }],
    [
      ['a b', 'ü', '__proto__', 'constructor', '=', 'x=y', '-'],
      ['a b', 'ü', '__proto__', 'constructor', '=', 'x=y', '-'],
      { client: undefined, all: false },
    ],
    [['a', '--all', '--', '-x', '--client', '—y'], ['a', '-x', '--client', '—y'], { client: undefined, all: true }],
    [['--'], [], { client: undefined, all: false }],
  ])('%j', (words, expected, flags) => {
    expect(parseFlags(wrap, splitArgv(words))).toEqual({ flags, words: expected, rest: [] });
  });

  it.each<[string[], string]>([
    [[''], 'unexpected argument ""'],
    [['a', 'a'], '"a" is given twice'],
    [['—all'], 'unexpected argument "—all"'],
    [['a', '--al'], 'unknown flag --al'],
    [['-a'], 'unknown flag -a'],
    [['a', '--', 'a'], '"a" is given twice'],
    [['--', ''], 'unexpected argument ""'],
  ])('%j is refused', (words, message) => {
    expect(errorOf(wrap, words).message).toBe(message);
  });
});
