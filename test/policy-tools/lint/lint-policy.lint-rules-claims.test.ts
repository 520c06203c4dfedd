import { describe, expect, it } from 'vitest';

import type { Call } from '../../../src/core/call.ts';
import { decideBy } from '../../support/policy.ts';
import { policyText } from '../../support/lints-of.ts';

/** What lint rules say of policies, against the decision: the lines of one, a call, and whether a rule of it decides. */
const CLAIMS: [rule: string, lines: string, call: Partial<Call>, decides: boolean][] = [
  ['shallow-path', 'deny; tool = "a"; args.path = "/etc/*"', { tool: 'a', args: { path: '/etc/ssl/key' } }, false],
  ['folder-slash', 'deny; tool = "a"; args.path = "/home/user/"', { tool: 'a', args: { path: '/home/user/x' } }, false],
  ['folder-slash', 'deny; tool = "a"; args.path = "/home/user/"', { tool: 'a', args: { path: '/home/user' } }, true],
  ['folder-itself', 'deny; tool = "a"; args.path = "/etc"', { tool: 'a', args: { path: '/etc/passwd' } }, false],
  ['folder-itself', 'deny; tool = "a"; args.path = "/etc/**"', { tool: 'a', args: { path: '/etc/passwd' } }, true],
  ['bare-file-name', 'deny; tool = "a"; args.path = ".env"', { tool: 'a', args: { path: './.env' } }, false],
  ['bare-file-name', 'deny; tool = "a"; args.path = "*.env"', { tool: 'a', args: { path: '/home/user/project/x.env' } }, false],
  ['bare-file-name', 'deny; tool = "a"; args.path = "**/*.env"', { tool: 'a', args: { path: 'x.env' } }, true],
  ['variable-in-path', 'deny; tool = "a"; args.path = "$HOME/x/**"', { tool: 'a', args: { path: '/home/user/x/y' } }, false],
  ['variable-in-path', 'deny; tool = "a"; args.path = "~/x/**"', { tool: 'a', args: { path: '$HOME/x/y' } }, true],
  [
    'https-only',
    'deny; tool = "a"; args.url = "https://e.example/**"',
    { tool: 'a', args: { url: 'http://e.example/x' } },
    false,
  ],
  ['https-only', 'deny; tool = "a"; args.url = "http*://e.example/**"', { tool: 'a', args: { url: 'http://e.example/x' } }, true],
  ['outer-space', 'deny; tool = "a "', { tool: 'a' }, false],
  ['outer-space', 'deny; tool = "a"; args.path = "/etc/** "', { tool: 'a', args: { path: '/etc/x' } }, false],
  ['home-of-other', 'deny; tool = "a"; args.path = "~bob/**"', { tool: 'a', args: { path: '/home/bob/x' } }, false],
  [
    'open-ended-path',
    'allow; tool = "a"; args.path = "/home/user/p**"',
    { tool: 'a', args: { path: '/home/user/p-other/x' } },
    true,
  ],
  [
    'path-only-allow',
    'allow; tool = "**"; args.path = "/home/user/**"',
    { tool: 'delete_all', args: { path: '/home/user/x' } },
    true,
  ],
  ['unanchored-regex', 'allow; tool = { regex = "read" }', { tool: 'unread_and_delete' }, true],
  ['unanchored-regex', 'allow; tool = { regex = "^read|write$" }', { tool: 'read_then_delete' }, true],
  ['regex-in-glob', 'deny; tool = "^rm$"', { tool: 'rm' }, false],
  ['regex-in-glob', 'deny; tool = ".*delete.*"', { tool: 'delete_all' }, false],
  ['regex-in-glob', 'deny; tool = "delete_.*"', { tool: 'delete_all' }, false],
  ['list-in-text', 'deny; tool = "a"; args.path = "/etc/**|/usr/**"', { tool: 'a', args: { path: '/etc/x' } }, false],
  ['foreign-glob', 'deny; tool = "{read,write}_x"', { tool: 'read_x' }, false],
  ['foreign-glob', 'deny; tool = "!rm"', { tool: 'ls' }, false],
  ['list-in-text', 'deny; tool = "read, write"', { tool: 'read' }, false],
  ['client-tool-name', 'deny; tool = "mcp__files__read"', { tool: 'read', server: 'files' }, false],
  ['dotted-argument', 'deny; tool = "a"; args."b.c" = "1"', { tool: 'a', args: { b: { c: '1' } } }, false],
  ['dotted-argument', 'deny; tool = "a"; args."/b.c" = "1"', { tool: 'a', args: { 'b.c': '1' } }, true],
  ['impossible-rule', 'deny; method = "resources/read"; args.path = "x"', { method: 'resources/read', resource: 'x' }, false],
];

describe('what lint rules claim', () => {
  it.each(CLAIMS)('%s: %s', (_id, lines, call, decides) => {
    expect(decideBy(policyText(lines), call).rule !== undefined).toBe(decides);
  });
});
