import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { type MockCall, ModelMock } from '../support/model-mock.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

const POLICY = `[defaults]
action = "allow"

[[rule]]
id = "no-rm"
action = "deny"
server = "native"
tool = "exec_command"
args.cmd = "**rm -rf /srv**"

[[rule]]
id = "no-keys"
action = "deny"
server = "native"
tool = "apply_patch"
args."**" = "/srv/keys/**"
`;

let mock: ModelMock;
beforeEach(async () => {
  mock = await ModelMock.start([]);
  mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
  writeFileSync(sandbox.current.path('config/clawai/policy.toml'), POLICY);
});
afterEach(() => mock.stop());

/** The calls of one answer that the agent gets, by their ids. */
async function reached(...calls: readonly (readonly [name: string, input: object])[]): Promise<readonly string[]> {
  mock.calls = calls.map(([name, input], at): MockCall => ({ id: `call_${at + 1}`, name, input }));
  const { current } = sandbox;
  const words = [process.execPath, support('llm-agent.mjs'), 'openai'];
  const { stdout } = await new Running(current.command('run', '--', ...words), {
    env: { ...current.env, OPENAI_API_KEY: 'sk-key', OPENAI_BASE_URL: `${mock.origin}/v1` },
    cwd: current.folder,
  }).close();
  return (JSON.parse(stdout) as { calls: readonly { id: string }[] }).calls.map(({ id }) => id);
}

const bash = ['exec_command', { cmd: 'bash', tty: true }] as const;
const type = (chars: string, session = 7): readonly [string, object] => ['write_stdin', { session_id: session, chars }];
const code = (input: string): readonly [string, object] => ['exec', { input }];

describe('hazard 1: a command that an agent gives to a running shell, or in a program', () => {
  it('is denied as the whole line that the shell reads', async () => {
    expect(await reached(bash, type('rm -rf'), type(' /srv\n'))).toEqual(['call_1', 'call_2']);
    expect(await reached(bash, type('rmx\u007f -rf /srv\n'))).toEqual(['call_1']);
    expect(await reached(bash, type('rm -rf'), type(' /srv\n', 8), type('\u0003'), type(' /srv\n'))).toEqual([
      'call_1',
      'call_2',
      'call_3',
      'call_4',
      'call_5',
    ]);
    expect(sandbox.current.decided().filter(({ action }) => action === 'block')).toMatchObject([
      { tool_call_id: 'call_3', tool_name: 'exec_command', rule: 'no-rm' },
      { tool_call_id: 'call_2', tool_name: 'exec_command', rule: 'no-rm' },
    ]);
  });

  it('and a patch of a file, directly or in a program, is denied by the file that it names', async () => {
    const patch = (file: string): string => `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;
    const own = patch('/srv/keys/a');
    expect(
      await reached(
        ['apply_patch', { input: own }],
        ['apply_patch', { input: patch('/srv/a') }],
        code(`await tools.apply_patch(${JSON.stringify(own)})`),
        code(`const p = ${JSON.stringify(patch('/srv/b'))}\ntext(await tools.apply_patch(p))`),
      ),
    ).toEqual(['call_2', 'call_4']);
  });

  it('is denied where a program gives it', async () => {
    const safe = 'text(await tools.exec_command({cmd: "ls"}))';
    const direct = 'text(await tools.exec_command({cmd: "rm -rf /srv"}))';
    const built =
      'const place = "/srv"; const cmd = ["ls", `rm -rf ${place}`]; for (const c of cmd) await tools.exec_command({cmd: c})';
    const typed =
      'const r = await tools.exec_command({cmd: "bash", tty: true});\nfor (const chars of ["rm -rf", " /srv\\n"]) 0;\n' +
      'await tools.write_stdin({session_id: r.session_id, chars: "rm -rf"})\nawait tools.write_stdin({session_id: r.session_id, chars: " /srv\\n"})';
    expect(await reached(code(safe), code(direct), code(built), code(typed))).toEqual(['call_1']);
  });
});

describe('hazard 1: a program that is not read, where a policy allows some commands alone', () => {
  const allowing = (defaults: string): string =>
    `[defaults]\naction = "deny"\nnative = "${defaults}"\n
[[rule]]
id = "programs"
action = "allow"
server = "native"
tool = ["exec", "write_stdin", "get_goal"]

[[rule]]
id = "simple"
action = "allow"
server = "native"
tool = "exec_command"
args.cmd = ["ls**", "git status**", "bash"]
`;
  beforeEach(() => writeFileSync(sandbox.current.path('config/clawai/policy.toml'), allowing('deny')));

  it('reaches the shell by no way around, while those go on that Codex writes', async () => {
    const safe = [
      'const r = await tools.exec_command({cmd:"ls -la", workdir:"/srv"}); text(r.output)',
      'const [a, b] = await Promise.all([tools.exec_command({cmd: "ls"}), tools.exec_command({cmd: `git status`})]);\ntext(a.output + b.output)',
      'const cmd = "ls -la /srv";\nfor (let i = 0; i < 2; i++) { const r = await tools.exec_command({ cmd, yield_time_ms: 1000 }); text(r.output.split("\\n")[i]) }',
    ];
    const hidden = [
      'const t = (tools); await t.exec_command({cmd: "ls"})',
      'const o = {cmd: "ls"}; o["c" + "md"] = String.fromCharCode(114, 109); await tools.exec_command(o)',
      'const c = "ls"; { const c = load("x"); await tools.exec_command({cmd: c}) }',
      'await globalThis["tools"].exec_command({cmd: "ls"})',
      'await (async () => {}).constructor("ls")()',
      'await tools.exec_command({cmd: `ls ${load("x")}`})',
      'await tools.exec_command({cmd: "ls"',
      'await tools["exec_" + load("command")]({cmd: "ls"})',
    ];
    const all = [...safe, ...hidden].map(code);
    expect(await reached(...all)).toEqual(['call_1', 'call_2', 'call_3']);
    expect(sandbox.current.decided().filter(({ action }) => action === 'block')).toHaveLength(hidden.length);
  });

  it('nor does a line whose keys nobody can follow', async () => {
    const lines = ['ls -la\n', 'lsx\u007f\n', 'sl\u0014\n', 'ls\u001b.\n', 'ls\u0012rm\n', 'ls\u0018e\n', 'ls /s\t\n'];
    expect(await reached(...lines.map((line) => type(line)))).toEqual(['call_1', 'call_2']);
  });
});

describe('hazard 1: a program that is not read, where a policy denies some calls', () => {
  it('counts with all its texts, and as all tools that it names', async () => {
    const hidden = [
      'const t = {...tools}; await t.exec_command({cmd: "rm -rf /srv"})',
      'const {exec_command: r} = tools; await r({cmd: ["rm", "-rf", "/srv"].join(" ")})',
      'let c = "rm -rf"; c += " /srv"; await tools.exec_command({cmd: c})',
      'const {apply_patch: p} = tools; await p("*** Begin Patch\\n*** Delete File: /srv/keys/a\\n*** End Patch")',
      'await tools.apply_patch(["*** Begin Patch", "*** Delete File: /srv/keys/a", "*** End Patch"].join("\\n"))',
    ];
    const plain = 'const t = tools; text(await t.exec_command({cmd: "ls"}))';
    expect(await reached(...[...hidden, plain].map(code))).toEqual(['call_6']);
  });
});
