import { claudeCode as style } from '../llm/tool-names/claude-code.ts';
import { vscode as vscodeStyle } from '../llm/tool-names/editors.ts';
import type { ClientStyle } from '../llm/tool-names/client-style.ts';
import { callOf, denyByCode, type HookAnswer, type HookCall, type HookClient } from './hook-client.ts';
import type { Payload } from './payload.ts';

const PATIENCE = 600_000;
const EDITORS_PATIENCE = 30_000;

/** Reads the shape that Claude Code has and others took over. */
export function readToolUse(payload: Payload, client: ClientStyle | undefined): HookCall | undefined {
  const name = payload.string('tool_name');
  if (name === undefined || name === '' || !payload.has('tool_input') || payload.string('tool_input') === '') return undefined;
  const about = { style: client, id: payload.string('tool_use_id') ?? '', cwd: payload.string('cwd') };
  return callOf({ name, ...payload.arguments('tool_input') }, about);
}

/**
 * Denies by JSON, since Claude Code tells the model nothing but its reason then, and by the exit code, which also counts where the JSON does
 * not.
 */
function denyToolUse(why: string): HookAnswer {
  const hookSpecificOutput = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: why };
  return { ...denyByCode(why), stdout: `${JSON.stringify({ hookSpecificOutput })}\n` };
}

/** Claude Code 2.1. VS Code runs its hooks too, with other words. */
export const claudeCode: HookClient = {
  id: 'claude-code',
  style,
  patience: PATIENCE,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  read(payload) {
    if (payload.string('hookEventName') === 'PreToolUse') return readToolUse(payload, vscodeStyle);
    return payload.string('hook_event_name') === 'PreToolUse' ? readToolUse(payload, style) : undefined;
  },
  deny: denyToolUse,
};

/** VS Code's agent. From its documentation. */
export const vscode: HookClient = {
  id: 'vscode',
  style: vscodeStyle,
  patience: EDITORS_PATIENCE,
  read(payload) {
    const event = payload.string('hookEventName') ?? payload.string('hook_event_name');
    return event === 'PreToolUse' ? readToolUse(payload, vscodeStyle) : undefined;
  },
  deny: denyByCode,
};
