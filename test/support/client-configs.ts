import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse } from 'jsonc-parser';
import type { Sandbox } from './sandbox.ts';

/** A client's config in a sandbox, in the style that this client, or its user, writes. */
export interface ClientConfig {
  readonly client: string;
  /** Below the sandbox's folder. */
  readonly name: string;
  /** Keys that lead to the entry of the server `files`. */
  readonly path: readonly string[];
  text(command: string, args: readonly string[]): string;
}

const json = JSON.stringify;

/** Several clients on Linux, each with a server called `files`, and all that tempts an editor to write more than it must. */
export const CONFIGS: readonly ClientConfig[] = [
  {
    client: 'claude-code',
    name: 'home/.claude.json',
    path: ['mcpServers', 'files'],
    text: (command, args) =>
      `{"numStartups":3,"mcpServers":{"files":{"type":"stdio","command":${json(command)},"args":${json(args)},"env":{}},` +
      `"linear":{"type":"http","url":"https://mcp.linear.example/mcp"}},"projects":{"/a/b":{"mcpServers":{"local":{"command":"true"}}}},"__proto__":{"x":1}}`,
  },
  {
    client: 'claude-desktop',
    name: 'config/Claude/claude_desktop_config.json',
    path: ['mcpServers', 'files'],
    text: (command, args) =>
      `{\r\n\t"mcpServers": {\r\n\t\t"files": {\r\n\t\t\t"args": ${json(args)},\r\n\t\t\t"command": ${json(command)}\r\n\t\t}\r\n\t}\r\n}`,
  },
  {
    client: 'cursor',
    name: 'home/.cursor/mcp.json',
    path: ['mcpServers', 'files'],
    text: (command, args) =>
      `\uFEFF{\n  // mine\n  "mcpServers": {\n    "files": { "command": ${json(command)}, "args": ${json(args)}, "env": { "TOKEN": "\${env:T}" }, },\n  },\n}\n`,
  },
  {
    client: 'vscode',
    name: 'config/Code/User/mcp.json',
    path: ['servers', 'files'],
    text: (command, args) =>
      `{\n  "inputs": [ ],\n  "servers": {\n    "files": {\n      "command": ${json(command)}, /* why */\n      "args": [\n${args.map((arg) => `        ${json(arg)}`).join(',\n')}\n      ]\n    },\n    "bare": { "command": "true" }\n  }\n}\n`,
  },
  {
    client: 'opencode',
    name: 'config/opencode/opencode.jsonc',
    path: ['mcp', 'files'],
    text: (command, args) =>
      `{ "mcp": { "files": { "type": "local", "command": ${json([command, ...args])}, "enabled": false, }, }, }\n`,
  },
];

export function writeConfig(sandbox: Sandbox, name: string, text: string): void {
  mkdirSync(dirname(sandbox.path(name)), { recursive: true });
  writeFileSync(sandbox.path(name), text);
}

/** The command line that a client starts `files` with. */
export function commandIn(sandbox: Sandbox, { name, path }: ClientConfig): [string, ...string[]] {
  const text = readFileSync(sandbox.path(name), 'utf8').replace(/^\uFEFF/, '');
  let value = parse(text, [], { allowTrailingComma: true }) as Record<string, unknown>;
  for (const key of path) value = value[key] as Record<string, unknown>;
  const { command, args = [] } = value as { command: string | [string, ...string[]]; args?: string[] };
  return Array.isArray(command) ? command : [command, ...args];
}
