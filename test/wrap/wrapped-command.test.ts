import { describe, expect, it } from 'vitest';
import { formatWrappedCommand, innermost, isClawai, otherWrapper, parseWrappedCommand } from '../../src/wrap/wrapped-command.ts';

function line(text: string): { command: string; args: string[] } {
  const [command = '', ...args] = text.split(' ');
  return { command, args };
}

describe('command lines behind clawai', () => {
  it.each([
    ['/n/node /x/bin/clawai.mjs proxy --server a -- npx -y b', ['/n/node', '/x/bin/clawai.mjs'], ['--server', 'a'], 'npx -y b'],
    ['clawai proxy -- b', ['clawai'], [], 'b'],
    ['/usr/bin/clawai proxy --observe -- b -- c', ['/usr/bin/clawai'], ['--observe'], 'b -- c'],
    ['npx -y clawai@1.2.3 proxy -- b', ['npx', '-y', 'clawai@1.2.3'], [], 'b'],
    ['cmd /c clawai.cmd proxy -- b', ['cmd', '/c', 'clawai.cmd'], [], 'b'],
    ['C:\\n\\node.exe C:\\x\\clawai.mjs proxy -- b', ['C:\\n\\node.exe', 'C:\\x\\clawai.mjs'], [], 'b'],
    ['node --trace-warnings /x/clawai.mjs proxy -- b', ['node', '--trace-warnings', '/x/clawai.mjs'], [], 'b'],
    ['/usr/bin/node-24 /x/clawai.mjs proxy -- b', ['/usr/bin/node-24', '/x/clawai.mjs'], [], 'b'],
    ['/opt/runtime /x/clawai.mjs proxy -- b', ['/opt/runtime', '/x/clawai.mjs'], [], 'b'],
  ] as const)('%s', (text, launcher, flags, server) => {
    const parsed = parseWrappedCommand(line(text));
    expect(parsed).toEqual({ launcher, flags, server: line(server) });
    expect(parsed && formatWrappedCommand(parsed)).toEqual(line(text));
  });

  it.each([
    'npx -y b',
    'clawai serve',
    'clawai proxy --server a',
    'clawai proxy --server a --',
    'npx -y b -- clawai proxy -- c',
    'mitm proxy -- b',
    'my-clawai proxy -- b',
    'clawai-next proxy -- b',
    'proxy -- b',
    'ssh host clawai proxy -- b',
    'docker run -i image clawai proxy -- b',
    'env A=1 node /x/clawai.mjs proxy -- b',
  ])('not: %s', (text) => {
    expect(parseWrappedCommand(line(text))).toBeUndefined();
  });

  it('the innermost of several', () => {
    expect(innermost(line('clawai proxy -- node /x/clawai.mjs proxy --server a -- b c'))).toEqual(line('b c'));
    expect(innermost(line('b c'))).toEqual(line('b c'));
  });

  it.each(['clawai', 'clawai.exe', 'CLAWAI.CMD', '/x/clawai', 'clawai@2'])('%s is a clawai', (word) => {
    expect(isClawai(word)).toBe(true);
  });

  it.each([
    ['/opt/pipelock mcp proxy --config c -- npx b', 'pipelock'],
    ['mcp-context-protector.sh --command b', 'mcp-context-protector'],
    ['npx -y b', undefined],
    ['pipelock run', undefined],
    ['/x/pipelock-server mcp', undefined],
  ])('other tools: %s', (text, name) => {
    expect(otherWrapper(line(text))).toBe(name);
  });
});
