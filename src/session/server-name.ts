import { createHash } from 'node:crypto';

/** Matches a word that names an MCP server, not an argument. */
const MARK = /mcp|modelcontextprotocol/i;

/** Matches names that many servers share: `@playwright/mcp`, `docker run mcp/fetch`, `mcp-remote URL`. */
const TELLS_NOTHING = /^(?:mcp|mcp[-_]server|mcp[-_]remote)$/i;

/**
 * Derives the name of a server that was given none: the package, module or program in its command line that looks like an MCP server. A
 * name that many servers share is extended by the scope, image or host beside it, else replaced by eight digits of the command's SHA-256.
 *
 * `npx -y @modelcontextprotocol/server-filesystem@1.2 /path` → `server-filesystem`, `python -m mcp_server_sqlite` → `mcp_server_sqlite`,
 * `node /x/node_modules/mcp-foo/dist/index.js` → `mcp-foo`, `npx @playwright/mcp` → `playwright-mcp`, `docker run mcp/fetch` → `mcp-fetch`,
 * `npx mcp-remote https://mcp.example.com/sse` → `mcp.example.com`.
 */
export function deriveServerName(command: string, args: readonly string[]): string {
  const words = [...args, fileName(command)];
  for (const word of words) {
    const name = markedName(word);
    if (name === undefined) continue;
    if (!TELLS_NOTHING.test(name)) return name;
    const telling = nameBeside(word, name, args);
    if (telling !== undefined) return telling;
  }
  const hash = createHash('sha256')
    .update([command, ...args].join(' '))
    .digest('hex');
  return `mcp-${hash.slice(0, 8)}`;
}

/** Returns the name that older versions derived, if it differs: rules about that name no longer match. */
export function formerServerName(command: string, args: readonly string[]): string | undefined {
  const name = [...args, fileName(command)].map(markedName).find((each) => each !== undefined);
  return name === undefined || name === deriveServerName(command, args) ? undefined : name;
}

function markedName(word: string): string | undefined {
  const name = word.startsWith('-') || !MARK.test(word) ? '' : packageName(word);
  return name === '' ? undefined : name;
}

/** Builds a name from the scope of a package, the name of an image, or the host of a URL. */
function nameBeside(word: string, name: string, args: readonly string[]): string | undefined {
  const scope = /(?:^|[\\/])@([\w.-]+)[\\/][^\\/]+/.exec(word)?.[1];
  if (scope !== undefined) return `${scope}-${name}`;
  const image = /^[\w.-][\w./-]*\/([\w.-]+)(?:[:@].*)?$/.exec(word)?.[1];
  if (image !== undefined && image !== name && !word.includes('node_modules')) return `${name}-${image}`;
  if (!/remote/i.test(name)) return undefined;
  const url = args.find((arg) => /^https?:\/\//i.test(arg));
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}

function packageName(word: string): string {
  const parts = word.split(/[\\/]/).filter((part) => part !== '');
  const modules = parts.lastIndexOf('node_modules');
  if (modules !== -1) return withoutVersion(inScope(parts.slice(modules + 1)));
  if (word.startsWith('@')) return withoutVersion(inScope(parts));
  const marked = parts.findLast((part) => MARK.test(part)) ?? '';
  return withoutVersion(marked).replace(/\.(?:[cm]?[jt]s|py|sh|exe|cmd|jar)$/i, '');
}

/** Returns the package's own name if the first part is a scope (`@scope/name`). */
function inScope(parts: readonly string[]): string {
  const [first = '', second = ''] = parts;
  return first.startsWith('@') && second !== '' ? second : first;
}

/** Removes `@1.2.3` (npm) or `==1.2.3` (Python). */
function withoutVersion(name: string): string {
  return name.replace(/(?<=.)(?:@|[=~<>!]=).*$/s, '');
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
