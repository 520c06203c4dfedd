import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import { withArgument } from '../../../src/core/decide/deciding-argument.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { policyFrom, POSIX } from '../../support/policy.ts';

const POLICY = `
[defaults]
action = "allow"

[[rule]]
id = "together"
action = "deny"
tool = "copy"
args = { from = "/a/**", to = "/b/**" }

[[rule]]
id = "secret"
action = "deny"
tool = "*_file"
args."**" = ["/secret/**", "**/.env"]

[[rule]]
id = "tool"
action = "prompt"
tool = "erase"
`;

function argumentOf(tool: string, args: JsonObject): string | undefined {
  const call: Call = { method: 'tools/call', server: 's', tool, args };
  const snapshot = { policy: compilePolicy(policyFrom(POLICY)), paths: POSIX, realPaths: new Map<string, string>() };
  return withArgument(decide(call, snapshot), call, snapshot).argument;
}

describe('the argument that a denial names', () => {
  it.each<[string, JsonObject, string | undefined]>([
    ['read_file', { note: 'x', path: '/secret/key' }, 'path'],
    ['read_file', { edits: [{ file: '/x' }, { file: '/y/.env', mode: 1 }] }, 'edits.1.file'],
    ['read_file', { json: '{"file":"/secret/key"}' }, 'json'],
    ['read_file', { a: '/secret/1', b: '/secret/2' }, 'a'],
    ['read_file', JSON.parse('{"__proto__":"/secret/1"}') as JsonObject, '__proto__'],
    ['read_file', { '/secret/key': 1 }, undefined],
    ['read_file', { 'two words': '/secret/key' }, undefined],
    ['read_file', { at: { 'two words': '/secret/key' } }, 'at'],
    ['read_file', { [`a${'b'.repeat(40)}`]: '/secret/key' }, undefined],
    ['read_file', { path: '/secret/key', text: 'x'.repeat(20_000) }, undefined],
    ['read_file', { path: '/secret/key', list: Array.from({ length: 100 }, (_, i) => i) }, undefined],
    ['copy', { from: '/a/x', to: '/b/x' }, undefined],
    ['erase', { path: '/secret/key' }, undefined],
    ['read_file', { path: '/fine' }, undefined],
  ])('is, for %s with %j, %s', (tool, args, expected) => {
    expect(argumentOf(tool, args)).toBe(expected);
  });
});
