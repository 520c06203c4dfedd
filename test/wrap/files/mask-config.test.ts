import { describe, expect, it } from 'vitest';
import { maskCommand, maskConfig } from '../../../src/wrap/files/mask-config.ts';

const mask = (text: string): string => maskConfig(text, (url) => url.startsWith('http://127.0.0.1:8787/mcp/'));

describe('maskConfig', () => {
  it.each([
    ['"env": { "LEVEL": "hunter2", "PORT": 4242 }', '"env": { "LEVEL": "[redacted:env]", "PORT": "[redacted:env]" }'],
    ['"headers": {"x": "hunter2"}', '"headers": {"x": "[redacted:header]"}'],
    ['"requestOptions": { "headers": { "x": "hunter2" } }', '"requestOptions": { "headers": { "x": "[redacted:header]" } }'],
    ['"apiKey": "hunter2"', '"apiKey": "[redacted:api_key]"'],
    ['"args": ["--token", "hunter2", "x"]', '"args": ["--token", "[redacted:token]", "x"]'],
    ['"args": ["--api-key=hunter2"]', '"args": ["--api-key=[redacted:api_key]"]'],
    ['"args": ["-e", "MODE=hunter2"]', '"args": ["-e", "MODE=[redacted:env]"]'],
    ['"args": ["--header", "X-Own: hunter2"]', '"args": ["--header", "X-Own: [redacted:header]"]'],
    ['"args": ["-eMODE=hunter2", "--env=A=hunter2"]', '"args": ["-eMODE=[redacted:env]", "--env=A=[redacted:env]"]'],
    [
      '"args": ["--header=X-Own: hunter2", "-HX:hunter2"]',
      '"args": ["--header=X-Own: [redacted:header]", "-HX:[redacted:header]"]',
    ],
    ['"args": ["-u", "bob@a.example:hunter2"]', '"args": ["-u", "bob@a.example:[redacted:password]"]'],
    ['"args": ["--token=-hunter2"]', '"args": ["--token=[redacted:token]"]'],
    ['"args": ["--url=https://a.example/mcp?key=hunter2"]', '"args": ["--url=https://a.example/mcp?key=[redacted:query]"]'],
    ['"args": ["{\\"headers\\":{\\"x\\":\\"hunter2\\"}}"]', '"args": ["{\\"headers\\":{\\"x\\":\\"[redacted:header]\\"}}"]'],
    ['"envVars": { "A": "hunter2" }', '"envVars": { "A": "[redacted:env]" }'],
    ['"env": ["A=hunter2"]', '"env": ["[redacted:env]"]'],
    ['"args": ["postgres://u:hunter2@db/x"]', '"args": ["postgres://u:[redacted:url_password]@db/x"]'],
    ['"url": "https://a.example/mcp?key=hunter2"', '"url": "https://a.example/mcp?key=[redacted:query]"'],
    ['"a": 1, // token=hunter2hunter2\n"b": 2', '"a": 1, // token=[redacted:token]\n"b": 2'],
    ['"a": [{"env": {"b": ["hunter2"]}}]', '"a": [{"env": {"b": ["[redacted:env]"]}}]'],
  ])('%s', (members, shown) => {
    expect(mask(`{ ${members} }`)).toBe(`{ ${shown} }`);
    expect(mask(`\uFEFF{ ${members} }`)).toBe(`\uFEFF{ ${shown} }`);
  });

  it.each([
    '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "server", "--token", "${TOKEN}", "--", "--secret"], "type": "http"}}}',
    '{"env": {"A": "${TOKEN}", "B": "${env:B}", "C": "{env:C}", "D": ""}, "headers": {"Authorization": "Bearer ${TOKEN}"}}',
    '{"url": "http://127.0.0.1:8787/mcp/docs/abcdefghijklmnopqrstuv", "timeout": 5, "ok": true}',
    '["env", "hunter2"]',
    '',
  ])('leaves %s', (text) => {
    expect(mask(text)).toBe(text);
  });
});

it('maskCommand leaves out what maskConfig does', () => {
  const args = ['proxy', '--server', 'a', '--', 'npx', '--token', 'hunter2', '-e', 'A=hunter2'];
  expect(maskCommand({ command: 'node', args })).toEqual({
    command: 'node',
    args: ['proxy', '--server', 'a', '--', 'npx', '--token', '[redacted:token]', '-e', 'A=[redacted:env]'],
  });
});
