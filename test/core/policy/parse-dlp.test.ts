import { describe, expect, it } from 'vitest';
import { compileRegex } from '../../../src/core/patterns/regex.ts';
import type { Dlp } from '../../../src/core/policy/parse-dlp.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { policyFrom } from '../../support/policy.ts';

const USUAL: Dlp = {
  enabled: true,
  onArguments: 'alert',
  onRequest: 'alert',
  restoreTo: [],
  allow: [],
  keys: true,
  privateKeys: true,
  cards: true,
  seedPhrases: true,
  ssn: true,
  iban: true,
  email: false,
  phone: false,
  cryptoAddresses: false,
  servers: new Map(),
  patterns: [],
};

const PATTERN = '[[dlp.pattern]]\nname = "employee"\nregex = "EMP-[0-9]{6}"\n';

describe('[dlp]', () => {
  it.each<[string, Partial<Dlp>]>([
    ['', {}],
    ['[dlp]', {}],
    ['[dlp]\nenabled = false', { enabled: false }],
    ['[dlp]\non_arguments = "redact"\non_request = "tokenize"', { onArguments: 'redact', onRequest: 'tokenize' }],
    ['[dlp]\nrestore_to = ["git*", "native"]\nallow = ["sk_test_**"]', { restoreTo: ['git*', 'native'], allow: ['sk_test_**'] }],
    ['[dlp]\nkeys = false\nprivate_keys = false\nemail = true', { keys: false, privateKeys: false, email: true }],
    [
      '[dlp.server]\ngithub = "deny"\n"a b" = "prompt"',
      {
        servers: new Map([
          ['github', 'deny'],
          ['a b', 'prompt'],
        ]),
      },
    ],
  ])('%j', (text, differs) => {
    expect(policyFrom(text).dlp).toEqual({ ...USUAL, ...differs });
  });

  it('compiles patterns with the engine that it is given, and asks for one', () => {
    const read = parsePolicy(PATTERN, { file: 'p.toml', regex: compileRegex });
    if (!read.ok) throw new Error('a valid policy');
    const [pattern] = read.policy.dlp.patterns;
    expect(pattern?.name).toBe('employee');
    expect([...(pattern?.regex.places('EMP-123456, EMP-1, EMP-999999') ?? [])]).toEqual([
      { start: 0, end: 10 },
      { start: 19, end: 29 },
    ]);
    expect(parsePolicy(PATTERN, { file: 'p.toml' })).toEqual({ ok: false, errors: [], needsRegex: true });
  });

  it.each([
    ['[dlp]\non_arguments = "block"', ['dlp', 'on_arguments'], 'unknown action "block"'],
    ['[dlp]\non_request = "deny"', ['dlp', 'on_request'], 'unknown action "deny"'],
    ['[dlp]\nemails = true', ['dlp', 'emails'], 'unknown key "emails" in [dlp]'],
    ['[dlp]\nserver = 1', ['dlp', 'server'], 'dlp.server must be a table, not an integer'],
    ['[dlp.server]\ngithub = "tokenize"', ['dlp', 'server', 'github'], 'unknown action "tokenize"'],
    ['[dlp.pattern]\nname = "x"', ['dlp', 'pattern'], 'dlp.pattern is a list of tables'],
    [`${PATTERN}${PATTERN}`, ['dlp', 'pattern', 1, 'name'], 'another pattern already has the name "employee"'],
    [PATTERN.replace('EMP', '(?=x)'), ['dlp', 'pattern', 0, 'regex'], 'bad regex'],
    [
      PATTERN.replace('EMP-[0-9]{6}', 'x*'),
      ['dlp', 'pattern', 0, 'regex'],
      'a pattern that matches the empty text matches everywhere',
    ],
    [PATTERN.replace('employee', 'an employee'), ['dlp', 'pattern', 0, 'name'], "a pattern's name has letters"],
    [PATTERN.replace('regex', 'pattern'), ['dlp', 'pattern', 0, 'pattern'], 'unknown key "pattern" in [[dlp.pattern]]'],
  ])('%j is an error', (text, path, message) => {
    const read = parsePolicy(text, { file: 'p.toml', regex: compileRegex });
    if (read.ok || !('errors' in read)) throw new Error('a policy with errors');
    expect(read.errors[0]).toMatchObject({ path, message: expect.stringContaining(message) });
  });
});
