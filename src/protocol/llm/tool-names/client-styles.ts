import { claudeCode } from './claude-code.ts';
import type { ClientStyle, RequestHeaders } from './client-style.ts';
import { codex } from './codex.ts';
import { cline, continueIde, roo, vscode, zed } from './editors.ts';
import { geminiCli, qwenCode } from './gemini-cli.ts';
import { bare, copilotCli, crush, droid, goose, openclaw, opencode } from './terminal-agents.ts';

/** All known styles. If the server of a name is unknown, the first style that the name looks like says how to read it. */
export const CLIENT_STYLES: readonly ClientStyle[] = [
  claudeCode,
  codex,
  qwenCode,
  roo,
  geminiCli,
  vscode,
  crush,
  droid,
  cline,
  goose,
  openclaw,
  opencode,
  copilotCli,
  continueIde,
  zed,
  bare,
];

/**
 * Finds the client that sent a request, by its user-agent and other headers. Undefined if unknown, as for programs on an SDK: then every
 * style counts. So in doubt, none is better than a wrong one.
 */
export function clientStyleOf(headers: RequestHeaders): ClientStyle | undefined {
  return CLIENT_STYLES.find(({ isSentBy }) => isSentBy?.(headers) === true);
}
