import { describe, expect, it } from 'vitest';
import { serversInYaml } from '../../src/wrap/yaml-servers.ts';

const GOOSE = `# mine
GOOSE_MODEL: x
extensions:
  developer:
    bundled: true
    type: builtin
  github:  # why
    args:
    - -y
    - '@x/it''s'
    cmd: "npx" # here
    envs:
      TOKEN: t
    type: stdio
  'far away':
    type: sse
    uri: https://x.example/sse
GOOSE_PROVIDER: y
`;

const CONTINUE = `models: []
mcpServers:
- name: a
  command: npx
  args: ["-y", 'b c', "d\\"e,f"]
- name: web
  url: https://x.example/mcp
`;

describe('serversInYaml', () => {
  it('reads what Goose writes, without what it brings along', () => {
    expect(serversInYaml(GOOSE, ['extensions'])).toEqual({
      servers: [
        { name: 'github', url: undefined, line: { command: 'npx', args: ['-y', "@x/it's"] }, env: { TOKEN: '' } },
        { name: 'far away', url: 'https://x.example/sse', line: undefined },
      ],
    });
  });

  it('reads lists of servers, also with other line ends and a mark', () => {
    const servers = [
      { name: 'a', url: undefined, line: { command: 'npx', args: ['-y', 'b c', 'd"e,f'] }, env: {} },
      { name: 'web', url: 'https://x.example/mcp', line: undefined },
    ];
    expect(serversInYaml(CONTINUE, ['mcpServers'])).toEqual({ servers });
    expect(serversInYaml(`\uFEFF${CONTINUE.replaceAll('\n', '\r\n')}`, ['mcpServers'])).toEqual({ servers });
    expect(serversInYaml(CONTINUE.replaceAll(/^(?=[- ] )/gm, '  '), ['mcpServers'])).toEqual({ servers });
  });

  it.each([
    '',
    'extensions:',
    'extensions: {}',
    'extensions: []\n',
    'extensions: null',
    'other:\n  extensions:\n    a:\n      cmd: x',
  ])('finds none in %j', (text) => {
    expect(serversInYaml(text, ['extensions'])).toEqual({ servers: [] });
  });

  it.each([
    'extensions: {a: {cmd: x}}',
    'extensions: &a',
    'extensions:\n\ta:\n\t\tcmd: x',
    'extensions:\n    a:\n      cmd: x\n  b:\n    cmd: y',
  ])('does not guess what is in %j', (text) => {
    expect(serversInYaml(text, ['extensions'])).toEqual({ problem: expect.any(String) });
  });

  it.each(['a: {cmd: x}', 'a: *b', 'a:\n    cmd: >-\n      x\n    args: *b'])(
    'counts %j as a server of which nobody knows what it starts',
    (text) => {
      const read = serversInYaml(`extensions:\n  ${text}\n`, ['extensions']);
      expect(read).toEqual({ servers: [expect.objectContaining({ name: 'a', line: undefined })] });
    },
  );
});
