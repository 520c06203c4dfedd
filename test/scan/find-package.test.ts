import { describe, expect, it } from 'vitest';
import { findPackage } from '../../src/scan/find-package.ts';

function find(line: string) {
  return findPackage(line.split(' '));
}

describe('findPackage', () => {
  it.each([
    ['npx -y @scope/server', '@scope/server', false],
    ['npx -y @scope/server@latest /folder', '@scope/server', false],
    ['npx -y @scope/server@^1.2.3', '@scope/server', false],
    ['npx -y @scope/server@1', '@scope/server', false],
    ['npx -y @scope/server@1.2.3 /folder', '@scope/server', true],
    ['npx -y server@1.2.3-beta.1', 'server', true],
    ['npx --package=server@1.2.3 -- run-server', 'server', true],
    ['npx -p server run-server', 'server', false],
    ['/usr/local/bin/npx server', 'server', false],
    ['C:\\nodejs\\npx.cmd server', 'server', false],
    ['cmd /c npx -y server', 'server', false],
    ['env A=b npx server@2.0.0', 'server', true],
    ['npm exec -- server', 'server', false],
    ['npm x server@1.0.0', 'server', true],
    ['pnpm dlx server', 'server', false],
    ['bunx server', 'server', false],
    ['bun x server@1.0.0', 'server', true],
    ['npx github:user/repo', 'github:user/repo', false],
    [`npx github:user/repo#${'a'.repeat(40)}`, 'github:user/repo', true],
    ['uvx mcp-server-git', 'mcp-server-git', false],
    ['uvx mcp-server-git==2025.1.14 --repository x', 'mcp-server-git', true],
    ['uvx mcp-server-git@2025.1.14', 'mcp-server-git', true],
    ['uvx mcp-server-git@latest', 'mcp-server-git', false],
    ['uvx --python 3.12 --from tool[extra]==1.0 run-tool', 'tool[extra]', true],
    ['uvx --from git+https://example.com/x.git run-x', 'git+https://example.com/x.git', false],
    [`uvx --from git+https://example.com/x.git@${'b'.repeat(40)} run-x`, 'git+https://example.com/x.git', true],
    ['uv tool run server', 'server', false],
    ['pipx run server==1.0', 'server', true],
    ['docker run -i --rm -e TOKEN mcp/fetch', 'mcp/fetch', false],
    ['docker run -i --rm -v /a:/b mcp/fetch:latest', 'mcp/fetch', false],
    ['docker run -i ghcr.io:443/x/y:v1.2', 'ghcr.io:443/x/y', 'tag'],
    [`docker run -i mcp/fetch@sha256:${'c'.repeat(64)}`, 'mcp/fetch', true],
    ['podman run --env=A=b mcp/fetch', 'mcp/fetch', false],
    ['deno run -A npm:server@1.2.3', 'server', true],
    ['deno run -A jsr:@scope/server', '@scope/server', false],
    ['go run example.com/cmd/server@latest', 'example.com/cmd/server', false],
    ['go run example.com/cmd/server@v1.2.3', 'example.com/cmd/server', true],
  ])('%s runs %s; pinned: %s', (line, name, isPinned) => {
    expect(find(line)).toMatchObject({ name, isPinned });
  });

  it.each([
    'node server.js',
    'npx ./server.js',
    'npx /opt/server',
    'npx ${PACKAGE}',
    'npm run server',
    'uv run server.py',
    'docker exec -i box server',
    'go run ./cmd',
    'deno run -A main.ts',
    'env A=b',
    'npx',
  ])('%s runs what is on the machine', (line) => {
    expect(find(line)).toBeUndefined();
  });

  it('looks into the command of a shell', () => {
    expect(findPackage(['sh', '-c', 'exec npx -y server'])).toMatchObject({ name: 'server', isPinned: false });
    expect(findPackage(['sh', '-c', 'sh -c sh'])).toBeUndefined();
  });
});
