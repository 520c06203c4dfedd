import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCodeCalls, type ProgramTools } from '../../../src/core/shell/code-calls.ts';
import { parseProgram } from '../../../src/core/shell/parse-program.ts';
import { leastHits, runs as tries } from '../../support/runs.ts';

const TOOLS: ProgramTools = {
  object: 'tools',
  textArgument: 'input',
  command: 'exec_command',
  argumentOf: (name) => (name === 'exec_command' ? 'cmd' : 'input'),
  isTool: (name) => name === 'apply_patch' || name.startsWith('mcp__'),
};

const find = (code: string): readonly (readonly [string, Readonly<Record<string, unknown>>])[] =>
  findCodeCalls(code, parseProgram(code), TOOLS).map(({ name, args }) => [name, args] as const);

const runs = (cmd: string, more: object = {}): readonly unknown[] => ['exec_command', { cmd, ...more }];

/** Tells whether a call counts that no rule allows by its command. */
const isOpen = (code: string): boolean => find(code).some(([name, { cmd }]) => name === 'exec_command' && cmd === undefined);

/** All texts that count as the command. */
const commands = (code: string): readonly unknown[] =>
  find(code).flatMap(([name, { cmd }]) => (name === 'exec_command' && cmd !== undefined ? cmd : []));

describe('calls in a program are found with their arguments', () => {
  it.each<[code: string, ...calls: unknown[]]>([
    ['await tools.exec_command({cmd: "ls"})', runs('ls')],
    [
      'const r = await tools.exec_command({cmd:"ls -la", workdir:"/srv", yield_time_ms: 1000}); text(r.output)',
      runs('ls -la', { workdir: '/srv', yield_time_ms: 1000 }),
    ],
    [
      "text(await tools.exec_command({ 'cmd': 'ls', tty: true, n: 1_000, m: -1, a: [1, 'x'], o: {p: null} }))",
      runs('ls', { tty: true, n: 1000, m: -1, a: [1, 'x'], o: { p: null } }),
    ],
    ['// @exec: {"yield_time_ms": 10}\nawait tools.exec_command({cmd: "ls"})', runs('ls')],
    ['tools["exec_command"]({cmd: `ls`})', runs('ls')],
    ['tools?.exec_command?.({cmd: "ls"})', runs('ls')],
    ['tools.exec\\u005fcommand({cmd: "ls"})', runs('ls')],
    ['t\\u006fols.exec_command({cmd: "ls"})', runs('ls')],
    ['tools . /* x */ exec_command // y\n ({cmd: "ls"})', runs('ls')],
    ['// \u2028 tools.exec_command({cmd: "ls"})', runs('ls')],
    ['({}) ++\n/x/; `', undefined],
    ['tools.get_goal({}); tools.get_goal()', ['get_goal', {}], ['get_goal', {}]],
    [
      'tools.apply_patch("*** Begin Patch\\n*** Add File: a\\n")',
      ['apply_patch', { input: '*** Begin Patch\n*** Add File: a\n' }],
    ],
    ['tools.exec_command("{\\"cmd\\":\\"ls\\"}")', runs('ls')],
    ['tools.exec_command({cmd: "\\x72\\u006d\\u{20}-rf \\~"})', runs('rm -rf ~')],
    ['const [a, b] = await Promise.all([tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})])', runs('a'), runs('b')],
    ['if (/"}/.test(x)) tools.exec_command({cmd: "ls"}); const x = ""', runs('ls')],
    ['const x = 1 / 2; tools.exec_command({cmd: "ls"}) / 3', runs('ls')],
    ['{ } /tools.x/; let i = 1; i++ / 2; tools.exec_command({cmd: "ls"}) / 3', runs('ls')],
    ['// tools.exec_command({cmd: "no"})\n"tools.exec_command({})"'],
    ['`${await tools.exec_command({cmd: "in"})} ${`${tools.get_goal()}`}`', runs('in'), ['get_goal', {}]],
    ['const c = "rm -rf ~"; tools.exec_command({cmd: c})', runs('rm -rf ~')],
    ['const c = "rm -rf ~"\nawait tools.exec_command({cmd: c})', runs('rm -rf ~')],
    ['const cmd = "rm" + " -rf " + "~"; tools.exec_command({cmd})', runs('rm -rf ~')],
    ['const d = "~"; tools.exec_command({cmd: `rm -rf ${d}`})', runs('rm -rf ~')],
    ['tools.exec_command({cmd: ("rm -rf ~")})', runs('rm -rf ~')],
    [
      'const run = async () => { for (let i = 0; i < 3; i++) text(results[i - 1].output) };\n' +
        'const results = await Promise.all(["x"].map((p) => tools.exec_command({cmd: "ls"})));\nsetTimeout(run, 5)',
      runs('ls'),
    ],
    [
      'try { const { output, exit_code: code = 0 } = await tools.exec_command({cmd: "ls"}); text(JSON.stringify({output, code})) }\n' +
        'catch (error) { text(String(error?.message ?? error)) }',
      runs('ls'),
    ],
    ['const found = ALL_TOOLS.filter(({name}) => /files/.test(name)); store("n", Object.keys(found[0])); text(load("n"))'],
  ])('%s', (code, ...calls) => {
    if (calls[0] === undefined && calls.length > 0) expect(isOpen(code)).toBe(true);
    else expect(find(code)).toEqual(calls);
  });
});

const COMMAND = '{cmd: "rm -rf ~"}';

describe('the tools are reached in a way that is not read', () => {
  it.each([
    `(0, tools).exec_command(${COMMAND})`,
    `const t = (tools); t.exec_command(${COMMAND})`,
    `const t = {...tools}; t.exec_command(${COMMAND})`,
    `({"exec_command": r} = tools); r(${COMMAND})`,
    `const {exec_command: r} = tools; r(${COMMAND})`,
    `const {exec_command} = tools; exec_command(${COMMAND})`,
    `const f = (t) => t.exec_command(${COMMAND}); f(tools)`,
    `const f = (t = tools) => t.exec_command(${COMMAND}); f()`,
    `const run = tools.exec_command; run(${COMMAND})`,
    `tools.exec_command.call(null, ${COMMAND})`,
    `tools.valueOf().exec_command(${COMMAND})`,
    `new tools.exec_command(${COMMAND})`,
    `tools.exec_command(...[${COMMAND}])`,
    `(tools?.exec_command)(${COMMAND})`,
    'tools.exec_command`rm -rf ~`',
    `globalThis["tools"].exec_command(${COMMAND})`,
    `globalThis.tools.exec_command(${COMMAND})`,
    `this.tools.exec_command(${COMMAND})`,
    `(function () { return this })().tools.exec_command(${COMMAND})`,
    `self.tools.exec_command(${COMMAND})`,
    `{ const globalThis = 1 } globalThis.tools.exec_command(${COMMAND})`,
    'eval("tools.exec_command({cmd: `rm -rf ~`})")',
    'Function("rm -rf ~")()',
    '(() => {}).constructor("rm -rf ~")()',
    '[]["constructor"]["constructor"]("rm -rf ~")()',
    'const k = load("k"); [][k][k]("rm -rf ~")()',
    'const {["constru" + "ctor"]: f} = () => {}; f("rm -rf ~")()',
    'const {[load("k")]: f} = () => {}; f("rm -rf ~")()',
    'Object.getPrototypeOf(async () => {}); "rm -rf ~"',
    'const O = Object; O.getPrototypeOf(1); "rm -rf ~"',
    'Reflect.get("rm -rf ~")',
    'import("rm -rf ~")',
    'import "rm -rf ~"',
    'with (tools) exec_command({cmd: "rm -rf ~"})',
    'class A { static { "rm -rf ~" } }',
    'unknown("rm -rf ~")',
    `for (const n of ["exec_command"]) tools[n](${COMMAND})`,
    `tools[["exec", "command"].join("_")](${COMMAND})`,
    `let n = "get_goal"; n = "exec_command"; tools[n](${COMMAND})`,
    `for (let i = 0; i < 2; i++) { const f = () => { i = "constructor" }; [][i]("rm -rf ~") }`,
    `if (1) /tools/.exec; tools = 1; "rm -rf ~"`,
    'let x = 1; x<!--x; "rm -rf ~"',
    '<!-- x\n"rm -rf ~"',
    '--> x\n"rm -rf ~"',
    'tools.exec_command({cmd: "rm -rf ~',
    'tools.exec_command({cmd: &quot;x&quot;}); "rm -rf ~"',
    `"rm -rf ~"; ${'x;'.repeat(30_000)}tools["exec_" + load("x")]()`,
    `"rm -rf ~"; ${'/**/'.repeat(40_000)}`,
    `"rm -rf ~"; ${'tools.get_goal();'.repeat(300)}`,
  ])('%s', (code) => {
    expect(isOpen(code)).toBe(true);
    expect(commands(code)).toContainEqual(expect.stringContaining('rm -rf ~'));
  });

  it.each([
    'const t = tools; t.apply_patch(x); t.mcp__db__drop(x); const x = "p"',
    'const {apply_patch: a, "mcp__db__drop": b} = tools; a("p"); b("p")',
    'for (const n of ["apply_patch", "mcp__db__drop"]) tools[n]("p")',
    'tools[load("x")]("p"); ["apply_", "patch"]; "apply_" + "patch"; mcp__db__drop; "apply_patch"',
    'const t = tools; t.apply_patch("p"); t.mcp__db__drop(`',
  ])('%s counts as each tool that it names', (code) => {
    const calls = find(code);
    for (const name of ['apply_patch', 'mcp__db__drop']) {
      expect(calls).toContainEqual([name, {}]);
      expect(calls).toContainEqual([
        name,
        expect.objectContaining({ input: expect.arrayContaining([expect.stringContaining('p')]) }),
      ]);
    }
  });
});

describe('an argument that is not certain has all texts, and counts as missing, too', () => {
  it.each([
    'const o = {cmd: "ls"}; o.cmd = "rm -rf ~"; tools.exec_command(o)',
    'const o = {cmd: "ls"}; o["c" + "md"] = "rm -rf ~"; tools.exec_command(o)',
    'tools.exec_command({["cmd"]: "rm -rf ~"})',
    'tools.exec_command({cmd: "ls", ["c" + "md"]: "rm -rf ~"})',
    'tools.exec_command({cmd: "ls", cmd: "rm -rf ~"})',
    'tools.exec_command({cmd: ("ls", "rm -rf ~")})',
    'tools.exec_command(({cmd: "ls"}, {cmd: "rm -rf ~"}))',
    'tools.exec_command({cmd: "ls", ...{cmd: "rm -rf ~"}})',
    'const more = {cmd: "rm -rf ~"}; tools.exec_command({cmd: "ls", ...more})',
    'tools.exec_command({cmd: "ls", get cmd() { return "rm -rf ~" }})',
    'tools.exec_command({cmd() { return "rm -rf ~" }})',
    'tools.exec_command({cmd: "ls", __proto__: {cmd: "rm -rf ~"}})',
    'tools.exec_command(Object.assign({cmd: "ls"}, {cmd: "rm -rf ~"}))',
    'const c = "ls"; { const c = "rm -rf ~"; tools.exec_command({cmd: c}) }',
    'const c = "ls"; const f = (c) => tools.exec_command({cmd: c}); f("rm -rf ~")',
    'const c = "ls"; try { throw "rm -rf ~" } catch (c) { tools.exec_command({cmd: c}) }',
    'const c = "ls"; { function c() { "rm -rf ~" } tools.exec_command({cmd: c}) }',
    'let c = "ls"; tools.exec_command({cmd: c}); "rm -rf ~"',
    'let c = "ls"; c &&= "rm -rf ~"; tools.exec_command({cmd: c})',
    'let c = "ls"; if (load("x")) c = "rm -rf ~"; tools.exec_command({cmd: c})',
    'let c = "ls"; [c] = ["rm -rf ~"]; tools.exec_command({cmd: c})',
    'let c = "rm"; c += " -rf ~"; tools.exec_command({cmd: c})',
    'for (const c of ["ls", "rm -rf ~"]) tools.exec_command({cmd: c})',
    'let c = "ls"; for (c of ["rm -rf ~"]) tools.exec_command({cmd: c})',
    'const [c = "ls"] = ["rm -rf ~"]; tools.exec_command({cmd: c})',
    'const {c = "ls"} = {c: "rm -rf ~"}; tools.exec_command({cmd: c})',
    'const o = {c: "rm -rf ~"}; tools.exec_command({cmd: o.c})',
    'const all = ["rm", "-rf", "~"]; tools.exec_command({cmd: all.join(" ")})'.replace('"rm", "-rf", "~"', '"rm ", "-rf ", "~"'),
    'tools.exec_command({cmd: load("x") ? "ls" : "rm -rf ~"})',
    'let d = "~"; tools.exec_command({cmd: `rm -rf ${d}`})',
    'tools.exec_command({cmd: "rm -rf" + load("x") + " ~"})',
    'tools.exec_command({cmd: `rm -rf ~${load("x")}`})',
    'tools.exec_command({cmd: String.raw`rm -rf ~`})',
    'const c = c2 + "", c2 = c + ""; tools.exec_command({cmd: c}); "rm -rf ~"',
    'tools.exec_command(); tools.exec_command({cmd: /rm -rf ~/}); "rm -rf ~"',
    'tools.exec_command({cmd: 1n}); "rm -rf ~"',
  ])('%s', (code) => {
    expect(isOpen(code)).toBe(true);
    expect(commands(code)).toContainEqual(expect.stringContaining('rm -rf ~'));
  });

  it('and those beside it that are certain stay', () => {
    expect(find('tools.exec_command({cmd: load("x"), workdir: "/srv"})')).toEqual([
      ['exec_command', { cmd: ['x', '/srv', 'x/srv', 'x\n/srv'], workdir: '/srv' }],
      ['exec_command', { workdir: '/srv' }],
    ]);
    expect(find('const o = {}; o.sql = "x"; tools.mcp__db__query(o)')).toEqual([
      ['mcp__db__query', { sql: ['x', 'x', 'x'], mcp__db__query: ['x', 'x', 'x'], input: ['x', 'x', 'x'] }],
      ['mcp__db__query', {}],
    ]);
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
    ['a long sum', `tools.exec_command({cmd: ${'"a" + '.repeat(2000)}"b"})`],
    [
      'long sums of constants',
      `const a = "${'x'.repeat(50_000)}"; ${Array.from({ length: 2000 }, (_, n) => `const a${n} = a + "x"; `).join('')}tools.exec_command({cmd: a9, c: a + load("")})`,
    ],
    ['many changes of a name', `let a; ${'a=1;'.repeat(10_000)}tools.exec_command({cmd: a})`],
    ['long chains', `tools.exec_command({cmd: a${'.a'.repeat(50_000)}})`],
    ['many texts', `tools.exec_command({cmd: [${'"a",'.repeat(25_000)}load()]})`],
    ['many tools', `x; ${Array.from({ length: 5000 }, (_, n) => `tools.mcp__a__b${n}; `).join('')}`],
    ['a long program', `tools.exec_command({cmd: "ls"}); "${'x'.repeat(2_000_000)}"`],
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
      'const ',
      '=> ',
      ';',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(find(pieces.join(''))).toBeInstanceOf(Array);
      }),
    );
  });
});

/** The calls that a program makes when it runs. */
function callsWhenRun(code: string): readonly (readonly [string, unknown])[] {
  const made: [string, unknown][] = [];
  const tool = (name: string) => (given: unknown) => {
    const args: unknown = given === undefined ? {} : JSON.parse(JSON.stringify(given));
    made.push([name, typeof args === 'object' ? args : { input: args }]);
  };
  const tools = { exec_command: tool('exec_command'), get_goal: tool('get_goal') };
  try {
    runInNewContext(`"use strict";${code}`, { tools, load: () => 'rm', text: () => {} }, { timeout: 500 });
  } catch {
    // It ends there.
  }
  return made;
}

it('each call that a program makes when it runs is found as it is, or counts as one that nobody knows', () => {
  const name = fc.constantFrom('a', 'b', 't');
  const tools = fc.oneof(
    { weight: 3, arbitrary: fc.constant('tools') },
    name,
    fc.constantFrom(
      '(tools)',
      '(0, tools)',
      'globalThis.tools',
      't\\u006fols',
      'tools.valueOf()',
      '[tools][0]',
      '({tools}).tools',
    ),
  );
  const member = fc.constantFrom(
    '.exec_command',
    '?.exec_command',
    '["exec_command"]',
    '[`exec_command`]',
    '[a]',
    '["exec_" + b]',
    '.get_goal',
  );
  const text = fc.oneof(
    fc.constantFrom('"ls"', '"rm"', '`ls`', '`${a} x`', 'load()', '"cmd"', '"command"', '"exec_command"'),
    name,
  );
  const value = fc.oneof(
    text,
    fc.tuple(text, fc.constantFrom('+', ',', '||', '&&'), text).map(([left, sign, right]) => `(${left} ${sign} ${right})`),
  );
  const object = fc.oneof(
    value.map((each) => `{cmd: ${each}}`),
    fc.tuple(value, value).map(([one, other]) => `{cmd: ${one}, cmd: ${other}}`),
    fc.tuple(value, value).map(([one, other]) => `{cmd: ${one}, [${other}]: "x"}`),
    value.map((each) => `{cmd: "ls", ...{cmd: ${each}}}`),
    value.map((each) => `{cmd: "ls", get x() { return ${each} }, __proto__: {y: ${each}}}`),
    name,
  );
  const call = fc.tuple(tools, member, object).map(([owner, part, given]) => `${owner}${part}(${given});`);
  const sets = fc
    .tuple(fc.constantFrom('const', 'let', 'var', ''), name, fc.constantFrom('=', '+=', '||='), fc.oneof(value, tools, object))
    .map(
      ([kind, left, sign, right]) =>
        `${kind} ${left} ${kind === '' ? sign : '='} ${right.startsWith('{') ? `(${right})` : right};`,
    );
  const other = fc
    .tuple(name, value, call)
    .chain(([left, right, made]) =>
      fc.constantFrom(
        `{ const ${left} = ${right}; ${made} }`,
        `((${left}) => { ${made} })(${right});`,
        `for (const ${left} of [${right}, tools]) { ${made} }`,
        `try { throw ${right} } catch (${left}) { ${made} }`,
        `const {exec_command: ${left}} = tools; ${left}({cmd: ${right}});`,
        `${left}.cmd = ${right};`,
        `Object.assign(${left}, {cmd: ${right}});`,
        `// ${made}\n`,
        `/* ${made} */`,
        `if (1) /${left}"/.test("x"); ${made}`,
        `text(\`\${${made.slice(0, -1)}}\`);`,
      ),
    );
  const program = fc.array(fc.oneof(call, sets, other), { minLength: 1, maxLength: 6 }).map((lines) => lines.join(' '));
  let made = 0;
  fc.assert(
    fc.property(program, (code) => {
      const calls = findCodeCalls(code, parseProgram(code), TOOLS);
      const found = calls.map(({ name: tool, args }) => JSON.stringify([tool, args]));
      for (const each of callsWhenRun(code)) {
        made++;
        const isUnknown = calls.some(
          ({ name: tool, isBare }) => isBare === true && (tool === 'exec_command' || tool === each[0]),
        );
        if (!isUnknown) expect(found).toContain(JSON.stringify(each));
      }
    }),
    { numRuns: tries(3000) },
  );
  expect(made).toBeGreaterThan(leastHits(100));
});
