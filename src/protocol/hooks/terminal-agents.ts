import { codex as codexStyle } from '../llm/tool-names/codex.ts';
import { geminiCli as geminiStyle } from '../llm/tool-names/gemini-cli.ts';
import { vscode as vscodeStyle } from '../llm/tool-names/editors.ts';
import { copilotCli as copilotStyle, opencode as opencodeStyle } from '../llm/tool-names/terminal-agents.ts';
import { readToolUse } from './claude-code.ts';
import { callOf, denyByCode, type HookCall, type HookClient, type HookForm } from './hook-client.ts';
import type { Payload } from './payload.ts';

const SECOND = 1000;

/** The names by which Codex's models call what its hook calls otherwise: hook's name, its argument, the model's name, its argument. */
const OF_CODEX: readonly (readonly [name: string, from: string, model: string, to: string])[] = [
  ['Bash', 'command', 'exec_command', 'cmd'],
  ['Bash', 'command', 'shell_command', 'command'],
  ['apply_patch', 'command', 'apply_patch', 'input'],
];

/**
 * Codex 0.169. Its hook has other names than its model: a policy may use either. Anything unexpected on stdout counts as a broken hook, and
 * the call runs: so it gets the exit code only.
 */
export const codex: HookClient = {
  id: 'codex',
  style: codexStyle,
  patience: 600 * SECOND,
  read(payload) {
    if (payload.string('hook_event_name') !== 'PreToolUse') return undefined;
    const call = readToolUse(payload, codexStyle);
    if (call === undefined) return undefined;
    // The model's words come first: so the log has one name for a call, and a person is asked by the same rule.
    const [first, ...rest] = [...formsOfModel(call, payload), ...call.forms];
    return first === undefined ? call : { ...call, forms: [first, ...rest] };
  },
  deny: denyByCode,
};

function formsOfModel({ forms: [own] }: HookCall, payload: Payload): readonly HookForm[] {
  const given = payload.object('tool_input');
  if (given === undefined) return [];
  return OF_CODEX.flatMap(([name, from, model, to]) =>
    own.name === name && given.has(from) ? [{ name: model, ...given.renamed({ [from]: to }) }] : [],
  );
}

/** Gemini CLI 0.61. It takes a text on stderr for JSON if it can, and one with exit code 0 for an opinion. */
export const geminiCli: HookClient = {
  id: 'gemini-cli',
  style: geminiStyle,
  patience: 60 * SECOND,
  projectVariable: 'GEMINI_PROJECT_DIR',
  read: (payload) => (payload.string('hook_event_name') === 'BeforeTool' ? readToolUse(payload, geminiStyle) : undefined),
  deny: denyByCode,
};

/** Copilot CLI 1.0. Older versions give the arguments as JSON in a text. With exit code 2 it stops too, but shows no reason. */
export const copilotCli: HookClient = {
  id: 'copilot-cli',
  style: copilotStyle,
  patience: 30 * SECOND,
  projectVariable: 'COPILOT_PROJECT_DIR',
  read(payload) {
    // VS Code reads Copilot's hooks, and hands them what Claude Code's are handed.
    if (payload.string('hookEventName') === 'PreToolUse' && payload.has('tool_name')) return readToolUse(payload, vscodeStyle);
    const name = payload.string('toolName');
    if (name === undefined || name === '') return undefined;
    return callOf({ name, ...payload.arguments('toolArgs') }, { style: copilotStyle, id: '', cwd: payload.string('cwd') });
  },
  deny(why) {
    const words = { permissionDecision: 'deny', permissionDecisionReason: why };
    // VS Code reads the inner one only, and Copilot the outer one.
    const hookSpecificOutput = { hookEventName: 'PreToolUse', ...words };
    return { stdout: `${JSON.stringify({ ...words, hookSpecificOutput })}\n`, stderr: '', code: 0 };
  },
};

/** Kiro CLI. It names tools of servers `@server/tool`. From its documentation. */
export const kiro: HookClient = {
  id: 'kiro',
  style: undefined,
  patience: 30 * SECOND,
  read(payload) {
    if (payload.string('hook_event_name') !== 'preToolUse') return undefined;
    const call = readToolUse(payload, undefined);
    const [, server, tool] = /^@([^/]+)\/(.+)$/s.exec(call?.forms[0].name ?? '') ?? [];
    if (call === undefined || server === undefined || tool === undefined) return call;
    return { ...call, forms: [{ ...call.forms[0], name: tool, server }] };
  },
  deny: denyByCode,
};

/** opencode has no hooks, so a plugin of clawai's own asks. */
export const opencode: HookClient = {
  id: 'opencode',
  style: opencodeStyle,
  patience: 600 * SECOND,
  read(payload) {
    const name = payload.string('tool');
    if (name === undefined || name === '') return undefined;
    const about = { style: opencodeStyle, id: payload.string('callID') ?? '', cwd: payload.string('directory') };
    return callOf({ name, ...payload.arguments('args') }, about);
  },
  deny: denyByCode,
};
