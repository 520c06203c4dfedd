import type { Client } from './client.ts';
import { amazonQ, kiro } from './known/aws.ts';
import { claudeCode } from './known/claude-code.ts';
import { claudeDesktop } from './known/claude-desktop.ts';
import { cline } from './known/cline.ts';
import { codex } from './known/codex.ts';
import { continueDev } from './known/continue.ts';
import { copilotCli } from './known/copilot-cli.ts';
import { crush } from './known/crush.ts';
import { cursor } from './known/cursor.ts';
import { geminiCli } from './known/gemini-cli.ts';
import { goose } from './known/goose.ts';
import { kilo, rooCode } from './known/kilo.ts';
import { openclaw } from './known/openclaw.ts';
import { opencode } from './known/opencode.ts';
import { plainClients } from './known/plain.ts';
import { qwenCode } from './known/qwen-code.ts';
import { vscode } from './known/vscode.ts';
import { windsurf } from './known/windsurf.ts';
import { zed } from './known/zed.ts';

/** All clients we know, in the order of reports. */
export const CLIENTS: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  windsurf,
  cline,
  codex,
  geminiCli,
  copilotCli,
  opencode,
  zed,
  goose,
  continueDev,
  kiro,
  amazonQ,
  qwenCode,
  crush,
  kilo,
  rooCode,
  openclaw,
  ...plainClients,
];
