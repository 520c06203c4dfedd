import { claudeCode, vscode } from './claude-code.ts';
import { cline, cursor, windsurf } from './editors.ts';
import type { HookClient } from './hook-client.ts';
import { codex, copilotCli, geminiCli, kiro, opencode } from './terminal-agents.ts';

/** All clients that ask a hook. */
export const HOOK_CLIENTS: readonly HookClient[] = [
  claudeCode,
  codex,
  geminiCli,
  copilotCli,
  cursor,
  vscode,
  windsurf,
  cline,
  kiro,
  opencode,
];
