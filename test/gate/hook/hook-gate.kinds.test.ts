import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../src/core/call.ts';
import { HookGate } from '../../../src/gate/hook/hook-gate.ts';
import type { CallRecord } from '../../../src/gate/ports/records.ts';
import { HOOK_CLIENTS } from '../../../src/protocol/hooks/hook-clients.ts';
import { readHookCall } from '../../../src/protocol/hooks/read-hook-call.ts';
import { testSetup } from '../../support/gate.ts';
import { knowing } from '../../support/knowing.ts';
import { ALLOW } from '../../support/llm-route.ts';
import { createTestSink } from '../../support/sink.ts';

const NEVER = new AbortController().signal;

type Input = Readonly<Record<string, unknown>>;

/** The input of each client's hook for a call, as it is known from the client itself or its documentation. */
const INPUTS: Readonly<Record<string, (tool: string, args: Input) => Input>> = {
  'claude-code': (tool_name, tool_input) => ({ hook_event_name: 'PreToolUse', tool_name, tool_input }),
  codex: (tool_name, tool_input) => ({ hook_event_name: 'PreToolUse', tool_name, tool_input }),
  'gemini-cli': (tool_name, tool_input) => ({ hook_event_name: 'BeforeTool', tool_name, tool_input }),
  'copilot-cli': (toolName, toolArgs) => ({ toolName, toolArgs }),
  vscode: (tool_name, tool_input) => ({ hookEventName: 'PreToolUse', tool_name, tool_input }),
  cursor: (tool_name, tool_input) => ({ hook_event_name: 'preToolUse', tool_name, tool_input }),
  windsurf: (agent_action_name, tool_info) => ({ agent_action_name, tool_info }),
  cline: (toolName, parameters) => ({ preToolUse: { toolName, parameters } }),
  kiro: (tool_name, tool_input) => ({ hook_event_name: 'preToolUse', tool_name, tool_input }),
  opencode: (tool, args) => ({ tool, args }),
};

async function judge(policy: string, client: string, [tool, args]: readonly [string, Input]): Promise<CallRecord | undefined> {
  const asking = HOOK_CLIENTS.find(({ id }) => id === client);
  if (asking === undefined) throw new Error(`no client is called ${client}`);
  const { sink, calls } = createTestSink();
  const gate = new HookGate(testSetup(policy, { sink, registry: knowing({ files: ['read'] }) }));
  await gate.judge(readHookCall(JSON.stringify(INPUTS[client]?.(tool, args)), asking), asking, NEVER);
  return calls[0];
}

const rule = (more: string): string => `${ALLOW}\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "**"\n${more}\n`;

/** The kinds by which rules know a call. */
async function kindsOf(client: string, call: readonly [string, Input]): Promise<string> {
  const decided = await Promise.all(
    CATEGORIES.map(async (kind) => (await judge(rule(`category = "${kind}"`), client, call))?.decision.action === 'deny'),
  );
  return CATEGORIES.filter((_, at) => decided[at]).join(' ');
}

const SHELL = 'write compute execute';
const PATCH = '*** Begin Patch\n*** Update File: a.txt\n*** Move to: secret/b.txt\n@@\n-a\n+b\n*** End Patch';

describe('the tools of each client are of the kinds that they are', () => {
  it.each<[client: string, tool: string, args: Input, kinds: string]>([
    ['claude-code', 'Bash', { command: 'ls' }, SHELL],
    ['claude-code', 'PowerShell', { command: 'ls' }, SHELL],
    ['claude-code', 'Monitor', { command: 'ls' }, `read ${SHELL}`],
    ['claude-code', 'Read', { file_path: 'a' }, 'read'],
    ['claude-code', 'Glob', { pattern: '*' }, 'read'],
    ['claude-code', 'Grep', { pattern: 'a' }, 'read'],
    ['claude-code', 'Write', { file_path: 'a', content: 'b' }, 'write'],
    ['claude-code', 'Edit', { file_path: 'a', old_string: 'b', new_string: 'c' }, 'write'],
    ['claude-code', 'MultiEdit', { file_path: 'a', edits: [{ old_string: 'b', new_string: 'c' }] }, 'write'],
    ['claude-code', 'NotebookEdit', { notebook_path: 'a', new_source: 'b' }, 'write'],
    ['claude-code', 'WebFetch', { url: 'https://example.com', prompt: 'a' }, 'read send'],
    ['claude-code', 'WebSearch', { query: 'a' }, 'read'],
    ['claude-code', 'SendMessage', { to: 'a', message: 'b' }, 'send'],
    // A sub-agent may do anything: its own calls come to the hook.
    ['claude-code', 'Agent', { description: 'a', prompt: 'b' }, 'unknown'],
    ['claude-code', 'Task', { description: 'a', prompt: 'b' }, 'unknown'],
    ['codex', 'Bash', { command: 'ls' }, SHELL],
    ['codex', 'apply_patch', { command: PATCH }, 'write'],
    ['codex', 'view_image', { path: 'a' }, 'read'],
    ['codex', 'write_stdin', { session_id: 1, chars: 'ls\n' }, SHELL],
    ['codex', 'exec', { input: 'await tools.exec_command({cmd: "ls"})' }, SHELL],
    ['codex', 'spawn_agent', { message: 'a' }, 'write compute'],
    ['gemini-cli', 'run_shell_command', { command: 'ls' }, SHELL],
    ['gemini-cli', 'read_file', { file_path: 'a' }, 'read'],
    ['gemini-cli', 'read_many_files', { include: ['a'] }, 'read'],
    ['gemini-cli', 'write_file', { file_path: 'a', content: 'b' }, 'write'],
    ['gemini-cli', 'replace', { file_path: 'a', old_string: 'b', new_string: 'c' }, 'write'],
    ['gemini-cli', 'web_fetch', { prompt: 'https://example.com' }, 'read send'],
    ['gemini-cli', 'glob', { pattern: '*' }, 'read'],
    ['copilot-cli', 'bash', { command: 'ls' }, SHELL],
    ['copilot-cli', 'write_bash', { sessionId: 'a', input: 'ls' }, SHELL],
    ['copilot-cli', 'view', { path: 'a' }, 'read'],
    ['copilot-cli', 'create', { path: 'a', file_text: 'b' }, 'write'],
    ['copilot-cli', 'edit', { path: 'a', old_str: 'b', new_str: 'c' }, 'write'],
    ['copilot-cli', 'web_fetch', { url: 'https://example.com' }, 'read send'],
    ['vscode', 'run_in_terminal', { command: 'ls' }, SHELL],
    ['vscode', 'create_file', { filePath: 'a', content: 'b' }, 'write'],
    ['vscode', 'replace_string_in_file', { filePath: 'a', oldString: 'b', newString: 'c' }, 'write'],
    ['vscode', 'fetch_webpage', { urls: ['https://example.com'] }, 'read send'],
    ['cursor', 'Shell', { command: 'ls' }, SHELL],
    ['cursor', 'Read', { file_path: 'a' }, 'read'],
    ['cursor', 'Write', { file_path: 'a' }, 'write'],
    ['cursor', 'Delete', { path: 'a' }, 'write destroy'],
    ['windsurf', 'pre_run_command', { command_line: 'ls', cwd: '/' }, SHELL],
    ['windsurf', 'pre_read_code', { file_path: 'a' }, 'read'],
    ['windsurf', 'pre_write_code', { file_path: 'a', edits: [] }, 'write'],
    ['cline', 'execute_command', { command: 'ls' }, SHELL],
    ['cline', 'write_to_file', { path: 'a', content: 'b' }, 'write'],
    ['cline', 'replace_in_file', { path: 'a', diff: 'b' }, 'write'],
    ['kiro', 'execute_bash', { command: 'ls' }, SHELL],
    ['kiro', 'fs_read', { path: 'a' }, 'read'],
    ['opencode', 'bash', { command: 'ls' }, SHELL],
    ['opencode', 'read', { filePath: 'a' }, 'read'],
    ['opencode', 'glob', { pattern: '*' }, 'read'],
    ['opencode', 'edit', { filePath: 'a', oldString: 'b', newString: 'c' }, 'write'],
    ['opencode', 'multiedit', { filePath: 'a', edits: [] }, 'write'],
    ['opencode', 'patch', { patchText: PATCH }, 'write'],
    ['opencode', 'webfetch', { url: 'https://example.com' }, 'read send'],
    ['opencode', 'websearch', { query: 'a' }, 'read'],
  ])('%s: %s %j', async (client, tool, args, kinds) => {
    expect(await kindsOf(client, [tool, args])).toBe(kinds);
  });
});

describe('the files of a call are known to rules, wherever it names them', () => {
  it.each<[client: string, tool: string, args: Input]>([
    ['claude-code', 'MultiEdit', { file_path: 'secret/a', edits: [] }],
    ['claude-code', 'NotebookEdit', { notebook_path: 'secret/a.ipynb', new_source: 'b' }],
    ['codex', 'apply_patch', { command: PATCH }],
    ['codex', 'apply_patch', { command: PATCH.replace('a.txt', 'secret/a.txt').replace('secret/b', 'b') }],
    ['codex', 'apply_patch', { command: '*** Begin Patch\n*** Delete File: secret/a.txt\n*** End Patch' }],
    ['codex', 'write_stdin', { session_id: 1, chars: 'cat secret/a\n' }],
    ['codex', 'exec', { input: 'await tools.exec_command({cmd: "cat secret/a"})' }],
    ['gemini-cli', 'read_many_files', { include: ['b', 'secret/a'] }],
    ['copilot-cli', 'write_bash', { sessionId: 'a', input: 'cat secret/a' }],
    ['cursor', 'Delete', { path: 'secret/a' }],
    ['windsurf', 'pre_write_code', { file_path: 'secret/a', edits: [] }],
    ['opencode', 'patch', { patchText: PATCH }],
  ])('%s: %s %j', async (client, tool, args) => {
    const record = await judge(rule('args."**" = ["**/secret/**", "**secret/a**"]'), client, [tool, args]);
    expect(record?.decision.action).toBe('deny');
  });
});

describe("a server's tool is known by the client's name for it", () => {
  it.each<[client: string, tool: string, args: Input]>([
    ['claude-code', 'mcp__files__read', {}],
    ['codex', 'mcp__files__read', {}],
    ['gemini-cli', 'mcp_files_read', {}],
    ['copilot-cli', 'files-read', {}],
    ['vscode', 'mcp_files_read', {}],
    ['windsurf', 'pre_mcp_tool_use', { mcp_server_name: 'files', mcp_tool_name: 'read', mcp_tool_arguments: {} }],
    ['cline', 'use_mcp_tool', { server_name: 'files', tool_name: 'read', arguments: '{}' }],
    ['kiro', '@files/read', {}],
    ['opencode', 'files_read', {}],
  ])('%s: %s', async (client, tool, args) => {
    expect((await judge(ALLOW, client, [tool, args]))?.call).toMatchObject({ server: 'files', tool: 'read' });
  });
});
