import { describe, expect, it } from 'vitest';
import { serverAddressOf } from '../../../src/gate/model/known-tools.ts';

describe('serverAddressOf', () => {
  it.each([
    ['nothing is known', undefined, undefined, undefined],
    ['a command', '{"args":["-y"],"command":"npx"}', 'stdio', undefined],
    ['a URL', '{"url":"https://mcp.example.com/mcp"}', 'http', 'mcp.example.com'],
    ['a port', '{"url":"http://127.0.0.1:8080/"}', 'http', '127.0.0.1:8080'],
    ['no URL', '{"url":"none"}', 'http', undefined],
    ['a URL that is no text', '{"url":7}', 'stdio', undefined],
    ['no object', 'null', 'stdio', undefined],
    ['no JSON', '{', 'stdio', undefined],
  ])('%s', (_what, identity, type, address) => {
    expect(serverAddressOf(identity)).toEqual({ type, address });
  });

  it('tells no secret that a URL has', () => {
    const told = JSON.stringify(serverAddressOf('{"url":"https://me:hush@mcp.example.com/hush?key=hush#hush"}'));
    expect(told).toContain('mcp.example.com');
    expect(told).not.toContain('hush');
  });
});
