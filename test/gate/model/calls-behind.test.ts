import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { CallsBehind } from '../../../src/gate/model/calls-behind.ts';
import type { ClientStyle } from '../../../src/protocol/llm/tool-names/client-style.ts';
import { claudeCode } from '../../../src/protocol/llm/tool-names/claude-code.ts';
import { codex } from '../../../src/protocol/llm/tool-names/codex.ts';

function made(name: string, args: JsonObject | undefined, client: ClientStyle | undefined = codex) {
  return { client, names: [{ name, group: undefined }], args };
}

const found = (behind: CallsBehind, ...about: Parameters<typeof made>): readonly unknown[] =>
  behind.of(made(...about)).map(({ name, args }) => [name, args]);

/** A reader that has its parser. */
async function loaded(): Promise<CallsBehind> {
  const behind = new CallsBehind();
  expect(behind.isWaiting(made('exec', { input: '' }))).toBe(true);
  await behind.load();
  expect(behind.isWaiting(made('exec', { input: '' }))).toBe(false);
  return behind;
}

const stdin = (chars: string, session: number | string = 7) => ['write_stdin', { session_id: session, chars }] as const;

describe('lines that are typed are commands', () => {
  it('as a whole, once each piece is made', () => {
    const behind = new CallsBehind();
    expect(found(behind, ...stdin('rm -rf'))).toEqual([['exec_command', { cmd: 'rm -rf' }]]);
    behind.note(made(...stdin('rm -rf')), false);
    expect(found(behind, ...stdin(' ~\n'))).toEqual([
      ['exec_command', { cmd: 'rm -rf ~\n' }],
      ['exec_command', { cmd: ' ~\n' }],
    ]);
    expect(found(behind, ...stdin(' ~\n', 8))).toEqual([['exec_command', { cmd: ' ~\n' }]]);
    expect(found(behind, ...stdin(''))).toEqual([]);
  });

  it('a piece that was denied was not typed', () => {
    const behind = new CallsBehind();
    found(behind, ...stdin('rm -rf ~'));
    expect(found(behind, ...stdin('ls\n'))).toEqual([['exec_command', { cmd: 'ls\n' }]]);
  });

  it('that nobody knows count without a command, too', () => {
    expect(found(new CallsBehind(), ...stdin('l\u0014s\n'))).toEqual([
      ['exec_command', { cmd: 'ls\n' }],
      ['exec_command', {}],
    ]);
  });

  it('a piece that a person denied was not typed', () => {
    const behind = new CallsBehind();
    const settle = behind.note(made(...stdin('rm -rf ')), true);
    expect(found(behind, ...stdin('~\n'))).toHaveLength(2);
    settle(false);
    expect(found(behind, ...stdin('~\n'))).toEqual([['exec_command', { cmd: '~\n' }]]);
  });

  it('of any client whose name is unknown', () => {
    expect(found(new CallsBehind(), 'write_stdin', { session_id: 1, chars: 'ls\n' }, undefined)).toHaveLength(1);
    const other = { ...made('write_stdin', { session_id: 1, chars: 'ls\n' }), client: claudeCode };
    expect(new CallsBehind().of(other)).toEqual([]);
  });
});

describe('calls in a program', () => {
  it('wait for the parser, and no others do', async () => {
    const behind = new CallsBehind();
    expect(
      [made('exec', undefined), made(...stdin('ls')), made('exec_command', { cmd: 'exec' })].map((each) =>
        behind.isWaiting(each),
      ),
    ).toEqual([false, false, false]);
    await behind.load();
    expect(behind.isWaiting(made('exec', { input: '1' }, undefined))).toBe(true);
  });

  it('are those of the tools', async () => {
    const input = 'const r = await tools.exec_command({cmd: "ls"}); await tools.mcp__files__read({path: "a"})';
    expect(found(await loaded(), 'exec', { input })).toEqual([
      ['exec_command', { cmd: 'ls' }],
      ['mcp__files__read', { path: 'a' }],
    ]);
  });

  it('that type are joined, in one program and over several', async () => {
    const behind = await loaded();
    const input =
      'const r = await tools.exec_command({cmd: "bash", tty: true}); const s = r.session_id;\n' +
      'await tools.write_stdin({session_id: s, chars: "rm -rf"}); await tools.write_stdin({session_id: r.session_id, chars: " ~\\n"})';
    const calls = found(behind, 'exec', { input });
    expect(calls).toContainEqual(['exec_command', { cmd: 'rm -rf ~\n' }]);
    const first = { input: 'tools.write_stdin({session_id: 5, chars: "rm -rf"})' };
    behind.note(made('exec', first), false);
    expect(found(behind, 'exec', { input: 'tools.write_stdin({session_id: 5, chars: " ~\\n"})' })).toContainEqual([
      'exec_command',
      { cmd: 'rm -rf ~\n' },
    ]);
  });

  it('that type what nobody knows have all texts, and no command that a rule could allow', async () => {
    const behind = await loaded();
    const typing = 'const c = ["rm", " -rf ~"].join(""); const o = {session_id: 5, chars: c}; tools.write_stdin(o)';
    behind.note(made(...stdin('sudo ', 5)), false);
    const calls = found(behind, 'exec', { input: typing });
    expect(calls.filter((call) => JSON.stringify(call) === '["exec_command",{}]')).toHaveLength(1);
    behind.note(made('exec', { input: typing }), false);
    expect(found(behind, ...stdin(';ls', 9))).toContainEqual(['exec_command', {}]);
    expect(found(behind, ...stdin('\n', 9))).toContainEqual(['exec_command', {}]);
    expect(calls).toContainEqual(['exec_command', {}]);
    expect(calls).toContainEqual([
      'exec_command',
      { cmd: expect.arrayContaining(['rm -rf ~', expect.stringMatching(/^sudo rm -rf ~/)]) as unknown },
    ]);
  });

  it('of a parser that is missing count as unknown', () => {
    expect(found(new CallsBehind(), 'exec', { input: 'tools.get_goal()' })).toContainEqual(['exec_command', {}]);
  });

  it.each<[string, JsonObject | undefined]>([
    ['exec', undefined],
    ['exec', { input: 7 }],
    ['exec', {}],
    ['exec_command', { cmd: 'ls' }],
    ['write_stdin', undefined],
    ['write_stdin', {}],
  ])('%s %j is an ordinary call', (name, args) => {
    expect(found(new CallsBehind(), name, args)).toEqual([]);
  });
});
