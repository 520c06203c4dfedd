import { describe, expect, it } from 'vitest';
import { deriveServerName } from '../../src/session/server-name.ts';

describe('deriveServerName', () => {
  it.each([
    ['npx @modelcontextprotocol/server-filesystem /path', 'server-filesystem'],
    ['npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /home/u/mcp-files', 'server-filesystem'],
    ['python -m mcp_server_sqlite --db x.db', 'mcp_server_sqlite'],
    ['uvx mcp-server-git==0.6.2', 'mcp-server-git'],
    ['node /x/node_modules/@modelcontextprotocol/server-memory/dist/index.js', 'server-memory'],
    ['node /x/node_modules/mcp-remote/dist/proxy.js https://example.com', 'mcp-remote'],
    ['node /srv/mcp-notes/dist/index.js', 'mcp-notes'],
    ['python /srv/my_mcp_server.py', 'my_mcp_server'],
    ['C:\\tools\\mcp-server.exe --stdio', 'mcp-server'],
    ['/opt/bin/github-mcp-server stdio', 'github-mcp-server'],
    ['docker run -i mcp/postgres', 'mcp'],
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

  it('does not take a flag for a name', () => {
    expect(deriveServerName('serve', ['--mcp-port=80'])).toMatch(/^mcp-[0-9a-f]{8}$/);
  });
});
