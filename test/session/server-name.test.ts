import { describe, expect, it } from 'vitest';
import { deriveServerName, formerServerName } from '../../src/session/server-name.ts';

describe('deriveServerName', () => {
  it.each([
    ['npx @modelcontextprotocol/server-filesystem /path', 'server-filesystem'],
    ['npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /home/u/mcp-files', 'server-filesystem'],
    ['python -m mcp_server_sqlite --db x.db', 'mcp_server_sqlite'],
    ['uvx mcp-server-git==0.6.2', 'mcp-server-git'],
    ['node /x/node_modules/@modelcontextprotocol/server-memory/dist/index.js', 'server-memory'],
    ['node /x/node_modules/mcp-remote/dist/proxy.js https://example.com/mcp', 'example.com'],
    ['node /srv/mcp-notes/dist/index.js', 'mcp-notes'],
    ['python /srv/my_mcp_server.py', 'my_mcp_server'],
    ['/opt/bin/github-mcp-server stdio', 'github-mcp-server'],
    ['docker run -i mcp/postgres', 'mcp-postgres'],
    ['docker run -i --rm docker.io/mcp/fetch:latest', 'mcp-fetch'],
    ['docker run -i ghcr.io/github/github-mcp-server', 'github-mcp-server'],
    ['npx @playwright/mcp@latest', 'playwright-mcp'],
    ['node /x/node_modules/@playwright/mcp/cli.js', 'playwright-mcp'],
    ['npx -y @scope/mcp-server --stdio', 'scope-mcp-server'],
    ['npx -y mcp-remote https://mcp.linear.app/sse', 'mcp.linear.app'],
  ])('%s → %s', (line, name) => {
    const [command = '', ...args] = line.split(' ');
    expect(deriveServerName(command, args)).toBe(name);
  });

  it('falls back to eight digits of a hash that is the same every time', () => {
    const name = deriveServerName('node', ['server.js', '/data']);
    expect(name).toMatch(/^mcp-[0-9a-f]{8}$/);
    expect(deriveServerName('node', ['server.js', '/data'])).toBe(name);
    expect(deriveServerName('node', ['server.js', '/other'])).not.toBe(name);
  });

  it.each(['C:\\tools\\mcp-server.exe --stdio', 'mcp run server.py', 'npx mcp-remote ftp://x', 'python /srv/mcp/server.py'])(
    'tells two of one name apart by a hash: %s',
    (line) => {
      const [command = '', ...args] = line.split(' ');
      expect(deriveServerName(command, args)).toMatch(/^mcp-[0-9a-f]{8}$/);
      expect(deriveServerName(command, [...args, 'more'])).not.toBe(deriveServerName(command, args));
    },
  );

  it('knows what older versions called a server', () => {
    expect(formerServerName('npx', ['@playwright/mcp'])).toBe('mcp');
    expect(formerServerName('npx', ['@modelcontextprotocol/server-memory'])).toBeUndefined();
    expect(formerServerName('node', ['server.js'])).toBeUndefined();
  });

  it('does not take a flag for a name', () => {
    expect(deriveServerName('serve', ['--mcp-port=80'])).toMatch(/^mcp-[0-9a-f]{8}$/);
  });
});
