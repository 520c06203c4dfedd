import { bare } from './bare.ts';
import { claudeCode } from './claude-code.ts';
import type { ClientStyle } from './client-style.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueIde } from './continue-ide.ts';
import { copilotCli } from './copilot-cli.ts';
import { crush } from './crush.ts';
import { droid } from './droid.ts';
import { geminiCli } from './gemini-cli.ts';
import { goose } from './goose.ts';
import { openclaw } from './openclaw.ts';
import { opencode } from './opencode.ts';
import { qwenCode } from './qwen-code.ts';
import { roo } from './roo.ts';
import { vscode } from './vscode.ts';
import { zed } from './zed.ts';

/** All styles we know. Where nobody knows the server of a name, the first that the name looks like says how to read it. */
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
