import { cline as clineStyle } from '../llm/tool-names/editors.ts';
import { readToolUse } from './claude-code.ts';
import { callOf, denyByCode, type HookAnswer, type HookCall, type HookClient } from './hook-client.ts';
import type { HookArguments } from './payload.ts';

// All of these have only a window: what they send and take is from their documentation.

const PATIENCE = 30_000;

/** Cursor's name for a tool of any server. */
const OF_SERVER = 'MCP:';

/** Cursor asks about each tool, and again about some kinds of them, with less to go by. */
export const cursor: HookClient = {
  id: 'cursor',
  style: undefined,
  patience: PATIENCE,
  read(payload) {
    const about = {
      style: undefined,
      id: payload.string('tool_use_id') ?? '',
      cwd: payload.string('cwd') ?? payload.first('workspace_roots'),
    };
    const of = (name: string, args: HookArguments): HookCall => callOf({ name, ...args }, about);
    switch (payload.string('hook_event_name')) {
      case 'preToolUse':
      case 'beforeMCPExecution': {
        const call = readToolUse(payload, undefined);
        if (call === undefined) return undefined;
        const [{ name, ...args }] = call.forms;
        return of(name.startsWith(OF_SERVER) ? name.slice(OF_SERVER.length) : name, args);
      }
      case 'beforeShellExecution':
        return payload.has('command') ? of('Shell', payload.renamed({ command: 'command', cwd: 'cwd' })) : undefined;
      case 'beforeReadFile':
        return payload.has('file_path') ? of('Read', payload.renamed({ file_path: 'file_path' })) : undefined;
      default:
        return undefined;
    }
  },
  deny: (why) => saying({ permission: 'deny', user_message: why, agent_message: why }, why),
};

/** Windsurf's kinds of actions. */
const ACTIONS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ['pre_run_command', { command_line: 'command', cwd: 'cwd' }],
  ['pre_read_code', { file_path: 'file_path' }],
  ['pre_write_code', { file_path: 'file_path', edits: 'edits' }],
]);

export const windsurf: HookClient = {
  id: 'windsurf',
  style: undefined,
  patience: PATIENCE,
  read(payload) {
    const action = payload.string('agent_action_name') ?? '';
    const info = payload.object('tool_info');
    if (info === undefined) return undefined;
    const about = { style: undefined, id: '', cwd: info.string('cwd') };
    const [server, tool] = [info.string('mcp_server_name'), info.string('mcp_tool_name')];
    if (action === 'pre_mcp_tool_use') {
      if (server === undefined || tool === undefined) return undefined;
      return callOf({ name: tool, server, ...info.arguments('mcp_tool_arguments') }, about);
    }
    const names = ACTIONS.get(action);
    const [first = ''] = Object.keys(names ?? {});
    // Another version may call the command or the file otherwise.
    if (names === undefined || !info.has(first)) return undefined;
    return callOf({ name: action.slice('pre_'.length), ...info.renamed(names) }, about);
  },
  deny: denyByCode,
};

export const cline: HookClient = {
  id: 'cline',
  style: clineStyle,
  patience: PATIENCE,
  read(payload) {
    const asked = payload.object('preToolUse');
    const name = asked?.string('toolName');
    if (asked === undefined || name === undefined || name === '') return undefined;
    const about = { style: clineStyle, id: '', cwd: payload.first('workspaceRoots') };
    const own = { name, ...asked.arguments('parameters') };
    const given = name === 'use_mcp_tool' ? asked.object('parameters') : undefined;
    const [server, tool] = [given?.string('server_name'), given?.string('tool_name')];
    if (given === undefined || server === undefined || tool === undefined) return callOf(own, about);
    return callOf({ name: tool, server, ...given.arguments('arguments') }, about, [own]);
  },
  deny: (why) => saying({ cancel: true, errorMessage: why }, why),
};

/** Denies in all ways at once: by JSON, which one of these needs, and by the exit code. */
function saying(words: Readonly<Record<string, unknown>>, why: string): HookAnswer {
  return { ...denyByCode(why), stdout: `${JSON.stringify(words)}\n` };
}
