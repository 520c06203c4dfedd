// What clients hand their hooks. `[recorded]`: by the real client with a command that only stores its stdin (Claude Code 2.1.330, Codex
// 0.169.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102). `[documentation]`: these clients have only a window, so it is what their documentation
// says, and no real client has been tried.

interface Input {
  readonly client: string;
  readonly source: 'recorded' | 'documentation' | 'own plugin';
  readonly about: string;
  readonly payload: object;
  /** Each form as `server/tool arguments`, or `tool arguments`. */
  readonly forms: readonly string[];
  readonly id?: string;
  readonly cwd?: string;
}

const COMMAND = 'echo once >> /home/u/project/marker';
const CLAUDE = {
  session_id: '9b93926b-d39a-48f5-93c8-6150cfc78ffa',
  transcript_path: '/home/u/.claude/projects/-home-u-project/9b93926b.jsonl',
  cwd: '/home/u/project',
  prompt_id: '693f03b8-81ce-4324-88fe-001e9de11c67',
  permission_mode: 'default',
  effort: { level: 'medium' },
  hook_event_name: 'PreToolUse',
};
const CODEX = {
  session_id: '01a21bf4-a8aa-7ba1-9a42-29d10cec8136',
  turn_id: '01a21bf4-a8d2-72b0-8452-5a434212b91b',
  transcript_path: '/home/u/.codex/sessions/rollout.jsonl',
  cwd: '/home/u/project',
  hook_event_name: 'PreToolUse',
  model: 'gpt-6.1-sol',
  permission_mode: 'bypassPermissions',
};
const CURSOR = { conversation_id: 'c', generation_id: 'g', workspace_roots: ['/home/u/project'] };
const WINDSURF = { trajectory_id: 't', execution_id: 'e', timestamp: '2026-11-27T07:42:46.028Z' };
const CLINE = {
  clineVersion: '3.40.0',
  hookName: 'PreToolUse',
  timestamp: '1795765373295',
  taskId: 't',
  workspaceRoots: ['/home/u/project'],
  userId: 'u',
};
const CWD = { cwd: '/home/u/project' };

export const INPUTS: readonly Input[] = [
  {
    client: 'claude-code',
    source: 'recorded',
    about: 'a command',
    payload: {
      ...CLAUDE,
      tool_name: 'Bash',
      tool_input: { command: COMMAND, description: 'Leave a mark' },
      tool_use_id: 'toolu_0123456789abcdefgh',
    },
    forms: [`Bash {"command":"${COMMAND}","description":"Leave a mark"}`],
    id: 'toolu_0123456789abcdefgh',
    ...CWD,
  },
  {
    client: 'claude-code',
    source: 'documentation',
    about: 'a tool of a server',
    payload: {
      ...CLAUDE,
      tool_name: 'mcp__echo__read_file',
      tool_input: { path: 'a' },
      mcp_server: { name: 'echo', source: 'user' },
    },
    forms: ['mcp__echo__read_file {"path":"a"}'],
    ...CWD,
  },
  {
    client: 'claude-code',
    source: 'documentation',
    about: 'a tool with a former name',
    payload: { ...CLAUDE, tool_name: 'Agent', tool_input: {} },
    forms: ['Agent {}', 'Task {}'],
    ...CWD,
  },
  {
    client: 'claude-code',
    source: 'documentation',
    about: 'a call of VS Code, which runs the hooks of Claude Code too',
    payload: {
      timestamp: 't',
      cwd: '/home/u/project',
      sessionId: 's',
      hookEventName: 'PreToolUse',
      tool_name: 'run_in_terminal',
      tool_input: { command: 'ls' },
      tool_use_id: 'x',
    },
    forms: ['run_in_terminal {"command":"ls"}'],
    id: 'x',
    ...CWD,
  },
  {
    client: 'codex',
    source: 'recorded',
    about: 'a command',
    payload: { ...CODEX, tool_name: 'Bash', tool_input: { command: COMMAND }, tool_use_id: 'call_0123456789abcdefgh' },
    forms: [`exec_command {"cmd":"${COMMAND}"}`, `shell_command {"command":"${COMMAND}"}`, `Bash {"command":"${COMMAND}"}`],
    id: 'call_0123456789abcdefgh',
    ...CWD,
  },
  {
    client: 'codex',
    source: 'recorded',
    about: 'a patch',
    payload: { ...CODEX, tool_name: 'apply_patch', tool_input: { command: '*** Begin Patch' } },
    forms: ['apply_patch {"input":"*** Begin Patch"}', 'apply_patch {"command":"*** Begin Patch"}'],
    ...CWD,
  },
  {
    client: 'gemini-cli',
    source: 'recorded',
    about: 'a command',
    payload: {
      session_id: '38ddb7af-d4bb-4a6b-b324-e1615d17d0a5',
      transcript_path: '/home/u/.gemini/tmp/project/chats/session.jsonl',
      cwd: '/home/u/project',
      hook_event_name: 'BeforeTool',
      timestamp: '2026-11-27T07:42:46.028Z',
      tool_name: 'run_shell_command',
      tool_input: { command: COMMAND, description: 'Leave a mark' },
    },
    forms: [`run_shell_command {"command":"${COMMAND}","description":"Leave a mark"}`],
    ...CWD,
  },
  {
    client: 'copilot-cli',
    source: 'recorded',
    about: 'a command',
    payload: {
      sessionId: '1ea962dd-8b80-4b8a-b5c4-17217e3178d4',
      timestamp: 1_795_765_373_295,
      cwd: '/home/u/project',
      toolName: 'bash',
      toolArgs: { command: COMMAND, description: 'Leave a mark' },
    },
    forms: [`bash {"command":"${COMMAND}","description":"Leave a mark"}`],
    ...CWD,
  },
  {
    client: 'copilot-cli',
    source: 'documentation',
    about: 'arguments as a text, as older versions have them',
    payload: { timestamp: 1, cwd: '/home/u/project', toolName: 'bash', toolArgs: '{"command":"ls"}' },
    forms: ['bash {"command":"ls"}'],
    ...CWD,
  },
  {
    client: 'vscode',
    source: 'documentation',
    about: 'a command',
    payload: {
      timestamp: 't',
      cwd: '/home/u/project',
      sessionId: 's',
      hookEventName: 'PreToolUse',
      tool_name: 'run_in_terminal',
      tool_input: { command: 'ls' },
      tool_use_id: 'x',
    },
    forms: ['run_in_terminal {"command":"ls"}'],
    id: 'x',
    ...CWD,
  },
  {
    client: 'cursor',
    source: 'documentation',
    about: 'any tool',
    payload: {
      ...CURSOR,
      hook_event_name: 'preToolUse',
      tool_name: 'Shell',
      tool_input: { command: 'ls' },
      tool_use_id: 'x',
      cwd: '/home/u',
    },
    forms: ['Shell {"command":"ls"}'],
    id: 'x',
    cwd: '/home/u',
  },
  {
    client: 'cursor',
    source: 'documentation',
    about: 'a tool of a server',
    payload: { ...CURSOR, hook_event_name: 'preToolUse', tool_name: 'MCP:read_file', tool_input: '{"path":"a"}' },
    forms: ['read_file {"path":"a"}'],
    ...CWD,
  },
  {
    client: 'cursor',
    source: 'documentation',
    about: 'a command',
    payload: { ...CURSOR, hook_event_name: 'beforeShellExecution', command: 'ls', cwd: '/home/u' },
    forms: ['Shell {"command":"ls","cwd":"/home/u"}'],
    cwd: '/home/u',
  },
  {
    client: 'cursor',
    source: 'documentation',
    about: 'a tool of a server, by its own event',
    payload: {
      ...CURSOR,
      hook_event_name: 'beforeMCPExecution',
      tool_name: 'read_file',
      tool_input: '{"path":"a"}',
      command: 'npx x',
    },
    forms: ['read_file {"path":"a"}'],
    ...CWD,
  },
  {
    client: 'cursor',
    source: 'documentation',
    about: 'a file that is read',
    payload: { ...CURSOR, hook_event_name: 'beforeReadFile', file_path: '/a', content: 'x' },
    forms: ['Read {"file_path":"/a"}'],
    ...CWD,
  },
  {
    client: 'windsurf',
    source: 'documentation',
    about: 'a command',
    payload: { ...WINDSURF, agent_action_name: 'pre_run_command', tool_info: { command_line: 'ls', cwd: '/home/u/project' } },
    forms: ['run_command {"command":"ls","cwd":"/home/u/project"}'],
    ...CWD,
  },
  {
    client: 'windsurf',
    source: 'documentation',
    about: 'a file that is written',
    payload: {
      ...WINDSURF,
      agent_action_name: 'pre_write_code',
      tool_info: { file_path: '/a', edits: [{ old_string: 'a', new_string: 'b' }] },
    },
    forms: ['write_code {"file_path":"/a","edits":[{"old_string":"a","new_string":"b"}]}'],
  },
  {
    client: 'windsurf',
    source: 'documentation',
    about: 'a tool of a server',
    payload: {
      ...WINDSURF,
      agent_action_name: 'pre_mcp_tool_use',
      tool_info: { mcp_server_name: 'echo', mcp_tool_name: 'read_file', mcp_tool_arguments: { path: 'a' } },
    },
    forms: ['echo/read_file {"path":"a"}'],
  },
  {
    client: 'cline',
    source: 'documentation',
    about: 'a command',
    payload: { ...CLINE, preToolUse: { toolName: 'execute_command', parameters: { command: 'ls' } } },
    forms: ['execute_command {"command":"ls"}'],
    ...CWD,
  },
  {
    client: 'cline',
    source: 'documentation',
    about: 'a tool of a server',
    payload: {
      ...CLINE,
      preToolUse: {
        toolName: 'use_mcp_tool',
        parameters: { server_name: 'echo', tool_name: 'read_file', arguments: '{"path":"a"}' },
      },
    },
    forms: [
      'echo/read_file {"path":"a"}',
      'use_mcp_tool {"server_name":"echo","tool_name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}',
    ],
    ...CWD,
  },
  {
    client: 'kiro',
    source: 'documentation',
    about: 'a command',
    payload: { hook_event_name: 'preToolUse', cwd: '/home/u/project', tool_name: 'execute_bash', tool_input: { command: 'ls' } },
    forms: ['execute_bash {"command":"ls"}'],
    ...CWD,
  },
  {
    client: 'kiro',
    source: 'documentation',
    about: 'a tool of a server',
    payload: { hook_event_name: 'preToolUse', cwd: '/home/u/project', tool_name: '@echo/read_file', tool_input: { path: 'a' } },
    forms: ['echo/read_file {"path":"a"}'],
    ...CWD,
  },
  {
    client: 'opencode',
    source: 'own plugin',
    about: 'a command',
    payload: { tool: 'bash', sessionID: 's', callID: 'call_1', directory: '/home/u/project', args: { command: 'ls' } },
    forms: ['bash {"command":"ls"}'],
    id: 'call_1',
    ...CWD,
  },
];
