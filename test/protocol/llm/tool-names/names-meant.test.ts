import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/protocol/llm/tool-names/claude-code.ts';
import type { ClientStyle } from '../../../../src/protocol/llm/tool-names/client-style.ts';
import { codex } from '../../../../src/protocol/llm/tool-names/codex.ts';
import { geminiCli } from '../../../../src/protocol/llm/tool-names/gemini-cli.ts';
import { namesMeant } from '../../../../src/protocol/llm/tool-names/names-meant.ts';
import { opencode } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';

function meant(name: string, client: ClientStyle | undefined, ...offered: readonly string[]): readonly string[] {
  const requestTools = new Map(offered.map((each) => [each, { name: each, type: undefined }]));
  return namesMeant(name, { client, requestTools }).map((each) => each.name);
}

describe('namesMeant', () => {
  it('a group that counts for nothing is none, though the request offers it', () => {
    const requestTools = new Map([['exec', { name: 'exec', type: 'custom', group: 'functions' }]]);
    const about = { client: codex, requestTools, group: 'functions' };
    expect(namesMeant('exec', about)).toEqual([{ name: 'exec', group: undefined }]);
    expect(namesMeant('exec_command', about)).toEqual([{ name: 'exec_command', group: undefined }]);
    expect(namesMeant('exec', { ...about, client: undefined })).toEqual([
      { name: 'exec', group: 'functions' },
      { name: 'exec', group: undefined },
    ]);
    expect(namesMeant('read', { ...about, group: 'mcp__files' })).toEqual([
      { name: 'read', group: 'mcp__files' },
      { name: 'read', group: undefined },
    ]);
  });

  it('a name that is offered means itself, whatever else is offered', () => {
    expect(meant('Task', claudeCode, 'Agent', 'Task')).toEqual(['Task']);
    expect(meant('Bash', opencode, 'bash', 'Bash')).toEqual(['Bash']);
  });

  it('another one may mean what is offered in other letters, or with other characters between words', () => {
    expect(meant('Bash', opencode, 'bash', 'edit')).toEqual(['Bash', 'bash']);
    expect(meant('GitHub-Get.Issue', opencode, 'github_get_issue', 'github_get_issues')).toEqual([
      'GitHub-Get.Issue',
      'github_get_issue',
    ]);
    expect(meant('ｂａｓｈ', undefined, 'bash')).toEqual(['ｂａｓｈ', 'bash']);
    expect(meant('bash2', undefined, 'bash')).toEqual(['bash2']);
  });

  it('another one may mean what is offered, with something around it that clients take off', () => {
    for (const name of [
      'default_api:bash',
      'functions.Bash',
      'bash:0',
      'a.b/bash',
      'bash<|channel|>json',
      'bash({})',
      '：bash',
      'functions.bash:0',
    ])
      expect([name, meant(name, undefined, 'bash', 'edit')]).toEqual([name, [name, 'bash']]);
    expect(meant('functions.github.get_issue', undefined, 'github_get_issue', 'issue')).toContain('github_get_issue');
    for (const name of ['run_bash', 'bash-tool', 'my.bashful', ':', '::'])
      expect([name, meant(name, undefined, 'bash', '')]).toEqual([name, [name]]);
    // Where nothing is offered, it may be any part.
    expect(meant('default_api:bash', undefined)).toEqual(['default_api:bash', 'default_api', 'bash', 'Bash']);
    expect(meant('functions.bash:0', undefined)).toEqual(['functions.bash:0', 'functions', 'bash', '0', 'Bash']);
    expect(meant(':run_bash', undefined)).toEqual([':run_bash', 'run_bash']);
    expect(meant('TodoWrite', claudeCode)).toEqual(['TodoWrite']);
    expect(meant('BASH', undefined)).toEqual(['BASH', 'bash', 'Bash']);
    expect(meant('a.DANGER', undefined)).toEqual(['a.DANGER', 'a', 'DANGER', 'a.danger', 'danger']);
    expect(meant('default_api:bash', undefined, 'default_api:bash', 'bash')).toEqual(['default_api:bash']);
  });

  it('a client knows what its tools were called before, whether or not its request offers them', () => {
    expect(meant('Task', claudeCode, 'Bash')).toEqual(['Task', 'Agent']);
    expect(meant('KillShell', claudeCode)).toEqual(['KillShell', 'KillBash', 'TaskStop']);
    expect(meant('search_file_content', geminiCli, 'grep_search')).toEqual(['search_file_content', 'grep_search']);
    expect(meant('Task', opencode, 'edit')).toEqual(['Task']);
  });

  it('of an unknown client, what is offered tells', () => {
    expect(meant('Task', undefined, 'Agent')).toEqual(['Task', 'Agent']);
    expect(meant('Task', undefined, 'Bash')).toEqual(['Task']);
  });

  it('a name that is part of something, or is too long for one, means itself', () => {
    const requestTools = new Map([['bash', { name: 'bash', type: undefined, group: 'shell' }]]);
    expect(namesMeant('Bash', { client: undefined, requestTools, group: 'shell' })).toEqual([{ name: 'Bash', group: 'shell' }]);
    const other = namesMeant('Bash', { client: undefined, requestTools, group: 'other' });
    expect(other.map(({ name, group }) => `${group} ${name}`)).toEqual(['other Bash', 'undefined Bash', 'undefined bash']);
    expect(meant('B'.repeat(257), undefined, 'b'.repeat(257))).toHaveLength(1);
  });
});
