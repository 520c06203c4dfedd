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

const stdin = (chars: string, session: number | string = 7) => ['write_stdin', { session_id: session, chars }] as const;

describe('lines that are typed are commands', () => {
  it('as a whole, once each piece is made', () => {
    const behind = new CallsBehind();
    expect(found(behind, ...stdin('rm -rf'))).toEqual([['exec_command', { cmd: 'rm -rf' }]]);
    behind.note(made(...stdin('rm -rf')));
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

  it('of any client whose name is unknown', () => {
    expect(found(new CallsBehind(), 'write_stdin', { session_id: 1, chars: 'ls\n' }, undefined)).toHaveLength(1);
    const other = { ...made('write_stdin', { session_id: 1, chars: 'ls\n' }), client: claudeCode };
    expect(new CallsBehind().of(other)).toEqual([]);
  });
});

describe('calls in a program', () => {
  it('are those of the tools', () => {
    const input = 'const r = await tools.exec_command({cmd: "ls"}); await tools.mcp__files__read({path: "a"})';
    expect(found(new CallsBehind(), 'exec', { input })).toEqual([
      ['exec_command', { cmd: 'ls' }],
      ['mcp__files__read', { path: 'a' }],
    ]);
  });

  it('that type are joined, in one program and over several', () => {
    const behind = new CallsBehind();
    const input =
      'const r = await tools.exec_command({cmd: "bash", tty: true}); const s = {session_id: r.session_id};\n' +
      'await tools.write_stdin({...s, chars: "rm -rf"}); await tools.write_stdin({...s, chars: " ~\\n"})';
    const calls = found(behind, 'exec', { input });
    expect(calls).toContainEqual(['exec_command', { cmd: 'rm -rf ~\n' }]);
    const first = { input: 'tools.write_stdin({session_id: 5, chars: "rm -rf"})' };
    behind.note(made('exec', first));
    expect(found(behind, 'exec', { input: 'tools.write_stdin({session_id: 5, chars: " ~\\n"})' })).toContainEqual([
      'exec_command',
      { cmd: 'rm -rf ~\n' },
    ]);
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
