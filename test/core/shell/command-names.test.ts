import { describe, expect, it } from 'vitest';
import { isCommandName, isCommandTool, isShellName } from '../../../src/core/shell/command-names.ts';

function picked(test: (name: string) => boolean, names: readonly string[]): string[] {
  return names.filter(test);
}

describe('names', () => {
  it('of arguments that are run', () => {
    const run = ['command', 'cmd', 'shellCommand', 'bash_script', 'code', 'args', 'argv', 'run-this', 'SCRIPT'];
    expect(picked(isCommandName, [...run, 'path', 'content', 'recommendation', 'description', 'encoding', 'country'])).toEqual(
      run,
    );
  });

  it('of tools that run texts', () => {
    const run = ['bash', 'run_command', 'executeCode', 'shell', 'terminal_send', 'run', 'python_eval', 'exec_and_read'];
    const not = ['edit_code', 'search_code', 'create_script', 'list_commands', 'read_file', 'finish', 'get_run', 'show_weather'];
    expect(picked(isCommandTool, [...run, ...not])).toEqual(run);
  });

  it('of what a POSIX shell runs', () => {
    expect(isShellName('command', 'run')).toBe(true);
    expect(isShellName('input', 'bash')).toBe(true);
    expect(isShellName('command', 'python')).toBe(false);
  });
});
