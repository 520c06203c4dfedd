import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCodeCalls } from '../../../src/core/shell/code-calls.ts';

const find = (code: string): readonly (readonly [string, unknown])[] =>
  findCodeCalls(code, 'tools', 'input').map(({ name, args }) => [name, args] as const);

const runs = (cmd: string, more: object = {}): readonly unknown[] => ['exec_command', { cmd, ...more }];

describe('calls in a program are found with their arguments', () => {
  it.each<[code: string, ...calls: unknown[]]>([
    ['await tools.exec_command({cmd: "ls"})', runs('ls')],
    [
      "text(await tools.exec_command({ 'cmd': 'ls', tty: true, n: 1_000, a: [1, 'x'], o: {p: null} }))",
      runs('ls', { tty: true, n: 1000, a: [1, 'x'], o: { p: null } }),
    ],
    ['tools["exec_command"]({cmd: `ls`})', runs('ls')],
    ['tools?.exec_command?.({cmd: "ls"})', runs('ls')],
    ['globalThis.tools.exec_command({cmd: "ls"})', runs('ls')],
    ['tools . /* x */ exec_command // y\n ({cmd: "ls"})', runs('ls')],
    ['tools.get_goal({}); tools.get_goal()', ['get_goal', {}], ['get_goal', {}]],
    [
      'tools.apply_patch("*** Begin Patch\\n*** Add File: a\\n")',
      ['apply_patch', { input: '*** Begin Patch\n*** Add File: a\n' }],
    ],
    ['tools.exec_command("{\\"cmd\\":\\"ls\\"}")', runs('ls')],
    ['tools.exec_command({cmd: "\\x72\\u006d\\u{20}-rf \\~"})', runs('rm -rf ~')],
    ['Promise.all([tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})])', runs('a'), runs('b')],
    ['if (/"}/.test(x)) tools.exec_command({cmd: "ls"})', runs('ls')],
    ['const x = 1 / 2; tools.exec_command({cmd: "ls"}) / 3', runs('ls')],
    ['// tools.exec_command({cmd: "no"})\n"tools.exec_command({})"'],
    ['`${await tools.exec_command({cmd: "in"})} ${`${tools.get_goal()}`}`', runs('in'), ['get_goal', {}]],
  ])('%s', (code, ...calls) => {
    expect(find(code)).toEqual(calls);
  });

  it.each([
    ['const c = "rm -rf ~"; tools.exec_command({cmd: c})', 'rm -rf ~'],
    ['const c = "rm -rf ~"\nawait tools.exec_command({cmd: c})', 'rm -rf ~'],
    ['const cmd = "rm" + " -rf " + "~"; tools.exec_command({cmd})', 'rm -rf ~'],
    ['const d = "~"; tools.exec_command({cmd: `rm -rf ${d}`})', 'rm -rf ~'],
    ['let c = "rm"; c += " -rf ~"; tools.exec_command({cmd: c})', 'rm -rf ~'],
    ['let c = "ls"; if (x) c = "rm -rf ~"; tools.exec_command({cmd: c})', 'ls\nrm -rf ~'],
    ['tools.exec_command({cmd: ("rm -rf ~")})', 'rm -rf ~'],
    ['tools.exec_command({cmd: x ? "ls" : "rm -rf ~"})', 'ls rm -rf ~'],
    ['const o = {c: "rm -rf ~"}; tools.exec_command({cmd: o.c})', '{"c":"rm -rf ~"}'],
    ['const all = ["ls", "rm -rf ~"]; for (const c of all) tools.exec_command({cmd: c})', 'ls\nrm -rf ~\n["ls","rm -rf ~"]'],
    ['for (const f of files) tools.exec_command({cmd: `cat ${f} | wc`})', 'cat  | wc'],
    ['const o = {cmd: "rm -rf ~"}; tools.exec_command(o)', 'rm -rf ~'],
    ['const o = {cmd: "rm -rf ~"}; tools.exec_command({...o, tty: true})', 'rm -rf ~'],
  ])('%s runs %j', (code, cmd) => {
    expect(find(code)).toEqual([['exec_command', expect.objectContaining({ cmd })]]);
  });

  it.each([
    'const { exec_command } = tools; exec_command({cmd: "rm -rf ~"})',
    'const { exec_command: run } = tools; run({cmd: "rm -rf ~"})',
    'const run = tools.exec_command; run({cmd: "rm -rf ~"})',
  ])('%s has all texts of the program', (code) => {
    expect(find(code)).toEqual([['exec_command', { code: 'rm -rf ~' }]]);
  });

  it('another name for the object is followed', () => {
    expect(find('const t = tools; t.exec_command({cmd: "ls"})')).toEqual([runs('ls')]);
  });
});

describe('a program of any size and form is read in bounded time', () => {
  it.each([
    ['values that double', `let a = "xxxxxxxx"; ${'a += a; '.repeat(400)} tools.exec_command({cmd: a})`],
    ['lists that double', `let a = ["x"]; ${'a = [a, a]; '.repeat(400)} tools.exec_command({cmd: a})`],
    [
      'new lists that double',
      `let a0 = ["x"]; ${Array.from({ length: 400 }, (_, n) => `let a${n + 1} = [a${n}, a${n}]; `).join('')} tools.exec_command({cmd: a400})`,
    ],
    ['one long expression', `${'a='.repeat(9000)}1; tools.exec_command({cmd: a})`],
    ['deep brackets', `tools.exec_command(${'('.repeat(9000)}`],
    ['deep templates', `tools.exec_command({cmd: ${'`${'.repeat(9000)}`],
    ['deep objects', `tools.exec_command(${'{a:'.repeat(9000)}`],
    ['many tokens', `tools.exec_command({cmd: "ls"});${'x '.repeat(100_000)}`],
    ['many calls', 'tools.exec_command({cmd: "ls"});'.repeat(5000)],
    ['open texts', `tools.exec_command({cmd: "ls"});${'"'.repeat(50_001)}`],
  ])('%s', (_what, code) => {
    const started = performance.now();
    expect(find(code).some(([name]) => name === 'exec_command')).toBe(true);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('never throws', () => {
    const piece = fc.constantFrom(
      'tools',
      '.',
      'a',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '"x"',
      '`',
      '${',
      ',',
      ':',
      '=',
      '+',
      '+=',
      '/',
      '\n',
      '...',
      '\\',
      "'",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(find(pieces.join(''))).toBeInstanceOf(Array);
      }),
    );
  });
});
