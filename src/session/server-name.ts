import { createHash } from 'node:crypto';

/** A word that tells an MCP server from its arguments. */
const MARK = /mcp|modelcontextprotocol/i;

/**
 * The name of a server that was given none: that of the package, module or program in its command line that looks like an
 * MCP server, otherwise `mcp-` and eight digits of the command's SHA-256.
 *
 * `npx -y @modelcontextprotocol/server-filesystem@1.2 /path` → `server-filesystem`, `python -m mcp_server_sqlite` →
 * `mcp_server_sqlite`, `node /x/node_modules/mcp-foo/dist/index.js` → `mcp-foo`.
 */
export function deriveServerName(command: string, args: readonly string[]): string {
  for (const word of [...args, fileName(command)]) {
    if (word.startsWith('-') || !MARK.test(word)) continue;
    const name = packageName(word);
    if (name !== '') return name;
  }
  const hash = createHash('sha256')
    .update([command, ...args].join(' '))
    .digest('hex');
  return `mcp-${hash.slice(0, 8)}`;
}

function packageName(word: string): string {
  const parts = word.split(/[\\/]/).filter((part) => part !== '');
  const modules = parts.lastIndexOf('node_modules');
  if (modules !== -1) return withoutVersion(inScope(parts.slice(modules + 1)));
  if (word.startsWith('@')) return withoutVersion(inScope(parts));
  const marked = parts.findLast((part) => MARK.test(part)) ?? '';
  return withoutVersion(marked).replace(/\.(?:[cm]?[jt]s|py|sh|exe|cmd|jar)$/i, '');
}

/** The package's own name where the first part is a scope (`@scope/name`). */
function inScope(parts: readonly string[]): string {
  const [first = '', second = ''] = parts;
  return first.startsWith('@') && second !== '' ? second : first;
}

/** Without `@1.2.3` (npm) or `==1.2.3` (Python). */
function withoutVersion(name: string): string {
  return name.replace(/(?<=.)(?:@|[=~<>!]=).*$/s, '');
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
