import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFixtures } from '../../src/cli/policy/fixtures/fixture.ts';
import { insertRule, type InsertionRequest } from '../../src/config/insert-rule.ts';
import type { Call } from '../../src/core/call.ts';
import { decide } from '../../src/core/decide/decide.ts';
import type { Action, Decision } from '../../src/core/decision.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../src/core/json.ts';
import { nameProblem } from '../../src/core/registry/deceptive-names.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import { policyFrom, POSIX } from '../support/policy.ts';
import { runs } from '../support/runs.ts';

const CALL: Call = { method: 'tools/call', server: 'files', tool: 'write_file', args: { path: '/tmp/x', mode: 3 } };
const NOW = Date.parse('2026-03-04T05:06:07Z');

function decisionOf(text: string, call: Call): Decision {
  return decide(call, { policy: compilePolicy(policyFrom(text)), paths: POSIX, realPaths: new Map() });
}

/** Remembers a call as whoever asked about it would. */
function remember(text: string, call: Call = CALL, more: Partial<InsertionRequest> = {}): ReturnType<typeof insertRule> {
  const asked = decisionOf(text, call).rule;
  return insertRule(text, { file: 'policy.toml', asked, call, action: 'allow', now: NOW, ...more });
}

async function inserted(text: string, call: Call = CALL, more: Partial<InsertionRequest> = {}) {
  const result = await remember(text, call, more);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

const ASK = '[[rule]]\nid = "ask"\naction = "prompt"\ntool = "**"\n';
const RULE = `[[rule]]
id = "remembered-3b1d2c4a"
action = "allow"
server = "files"
tool = "write_file"
args = { equals = { path = "/tmp/x", mode = 3 } }
description = "Remembered on 2026-03-04: always allow this exact call"
`;
const withoutId = (text: string): string => text.replaceAll(/remembered-[0-9a-f]{8}/g, 'ID');

describe('insertRule', () => {
  it.each<[string, string, string]>([
    [
      'before the rule that asked',
      `# head\n\n[defaults]\naction = "deny"\n\n${ASK}`,
      `# head\n\n[defaults]\naction = "deny"\n\n${RULE}\n${ASK}`,
    ],
    [
      'with the comments above a rule left to it',
      `# head\n\n# why\n  # and how\n${ASK}`,
      `# head\n\n${RULE}\n# why\n  # and how\n${ASK}`,
    ],
    ['behind a BOM', `\uFEFF${ASK}`, `\uFEFF${RULE}\n${ASK}`],
    ['behind a BOM, before a comment', `\uFEFF# why\n${ASK}`, `\uFEFF${RULE}\n# why\n${ASK}`],
    ['without a line feed at the end', ASK.trimEnd(), `${RULE}\n${ASK.trimEnd()}`],
    [
      'between two rules',
      `[[rule]]\naction = "deny"\ntool = "rm"\n${ASK}${ASK.replace('"ask"', '"b"')}`,
      `[[rule]]\naction = "deny"\ntool = "rm"\n${RULE}\n${ASK}${ASK.replace('"ask"', '"b"')}`,
    ],
    [
      'where an earlier rule has tables',
      `[[rule]]\naction = "deny"\ntool = "rm"\n[rule.args]\na = "b"\n${ASK}`,
      `[[rule]]\naction = "deny"\ntool = "rm"\n[rule.args]\na = "b"\n${RULE}\n${ASK}`,
    ],
    [
      'below what only looks like a comment',
      `[[rule]]\naction = "deny"\ntool = "rm"\ndescription = """\n# no comment""" # one\n${ASK}`,
      `[[rule]]\naction = "deny"\ntool = "rm"\ndescription = """\n# no comment""" # one\n${RULE}\n${ASK}`,
    ],
    ['at the end where the default asked', '[defaults]\naction = "prompt"\n', `[defaults]\naction = "prompt"\n\n${RULE}`],
    ['at an end without a line feed', '[defaults]\naction = "prompt"', `[defaults]\naction = "prompt"\n\n${RULE.trimEnd()}`],
    ['into an empty policy', '', RULE],
  ])('%s', async (_, before, after) => {
    const result = await inserted(before);
    expect(withoutId(result.text)).toBe(withoutId(after));
    expect(result.text.slice(0, result.offset) + result.text.slice(result.offset + result.inserted.length)).toBe(before);
    expect(decisionOf(result.text, CALL)).toMatchObject({ action: 'allow', rule: { id: result.id, index: result.index } });
  });

  it('has the line ends of the policy', async () => {
    const { inserted: rule } = await inserted(ASK.replaceAll('\n', '\r\n'));
    expect(withoutId(rule)).toBe(withoutId(`${RULE}\n`.replaceAll('\n', '\r\n')));
  });

  it('hazard 9: is about this exact call and no other', async () => {
    const { text } = await inserted(ASK);
    const others: Call[] = [
      { ...CALL, server: 'other' },
      { ...CALL, tool: 'write_files' },
      { ...CALL, args: { path: '/tmp/x' } },
      { ...CALL, args: { path: '/tmp/x', mode: 4 } },
      { ...CALL, args: { path: '/tmp/x', mode: '3' } },
      { ...CALL, args: { path: '/tmp/./x', mode: 3 } },
      { ...CALL, args: { path: ['/tmp/x'], mode: 3 } },
      { ...CALL, args: { path: '/tmp/x', mode: 3, force: true } },
      { ...CALL, args: { path: '/tmp/x', mode: 3, Mode: 3 } },
      { ...CALL, args: undefined },
    ];
    expect(others.map((call) => decisionOf(text, call).rule?.id)).toEqual(others.map(() => 'ask'));
    expect(decisionOf(text, { ...CALL, args: { mode: 3, path: '/tmp/x' } }).action).toBe('allow');
  });

  it.each<[string, Call]>([
    ['no arguments', { ...CALL, args: undefined }],
    ['empty arguments', { ...CALL, args: {} }],
    [
      'a dot and quotes in names',
      { ...CALL, server: "a.b'c", tool: 'a."b"\\c', args: { 'x.y"z': 'v"\'\\', '': 1, equals: 'x', '/p': true } },
    ],
    ['wildcards in names', { ...CALL, server: 'a*', tool: 'b?c**', args: { '*': '**', '**': '?' } }],
    [
      'line ends and control characters',
      { ...CALL, args: { 'a\nb': 'c\r\n\t\u0000\u001f\u007f\u2028\uFEFF[[rule]]\naction = "allow"' } },
    ],
    ['nested values', { ...CALL, args: { a: { b: [1, 'x', { c: true }, [], {}] }, e: {}, f: [] } }],
    [
      'big and odd numbers',
      {
        ...CALL,
        args: parseJson('{"a":9223372036854775807,"b":-0,"c":1.0,"d":1e300,"e":0.1,"f":9007199254740993,"g":1e21}') as JsonObject,
      },
    ],
    ['names of the language', { ...CALL, args: JSON.parse('{"__proto__":1,"constructor":{"toString":"x"}}') as JsonObject }],
    ['a resource', { method: 'resources/read', server: 's', resource: 'file:///a*b?c d%20' }],
    [
      'a subscription',
      {
        method: 'resources/subscribe',
        server: 's',
        resource: 'file:///a',
        like: { method: 'resources/read', server: 's', resource: 'file:///a' },
      },
    ],
    ['a prompt', { method: 'prompts/get', server: 's', prompt: 'p', args: { a: 'b' } }],
    [
      'a request of the server',
      {
        method: 'sampling/createMessage',
        server: 's',
        args: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] },
      },
    ],
  ])('says %s', async (_, call) => {
    for (const action of ['allow', 'deny'] as const) {
      const result = await inserted('[[rule]]\naction = "prompt"\nmethod = "**"\n', call, { action });
      expect(decisionOf(result.text, call)).toMatchObject({ action, rule: { id: result.id } });
      if (result.fixture === undefined) continue;
      const [fixture] = parseFixtures(result.fixture, 'f.json');
      expect(fixture).toMatchObject({ expected: action, expectedRule: result.id, name: result.id });
      expect(decisionOf(result.text, fixture?.call ?? CALL).rule?.id).toBe(result.id);
    }
  });

  it.each<[string, string, Call, Partial<InsertionRequest>, RegExp]>([
    ['a null', ASK, { ...CALL, args: { a: null } }, {}, /null, which TOML lacks/],
    ['half of a surrogate pair', ASK, { ...CALL, args: { a: '\ud800' } }, {}, /surrogate pair/],
    ['that in a name', ASK, { ...CALL, args: { '\udc00': 1 } }, {}, /surrogate pair/],
    [
      'an integer beyond 64 bits',
      ASK,
      { ...CALL, args: parseJson('{"a":9223372036854775808}') as JsonObject },
      {},
      /beyond 64 bits/,
    ],
    [
      'a number that is rounded',
      ASK,
      { ...CALL, args: parseJson('{"a":0.12345678901234567890123}') as JsonObject },
      {},
      /cannot hold exactly/,
    ],
    ['a number beyond a double', ASK, { ...CALL, args: parseJson('{"a":1e400}') as JsonObject }, {}, /cannot hold exactly/],
    ['arguments that nobody would read', ASK, { ...CALL, args: { a: 'x'.repeat(20_000) } }, {}, /too long/],
    [
      'deep nesting',
      ASK,
      { ...CALL, args: JSON.parse(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`) as JsonObject },
      {},
      /too deep/,
    ],
    ['nothing but a method', '[[rule]]\naction = "prompt"\nmethod = "**"\n', { method: 'x/y', server: 's' }, {}, /all of them/],
    ['a list of rules', 'rule = [{ action = "prompt", tool = "**" }]\n', CALL, {}, /one list, and not/],
    ['a list of rules, where the default asks', 'rule = []\n', CALL, {}, /does not fit into the policy/],
    ["a project's rule", ASK, CALL, { asked: { index: 0, action: 'prompt', source: 'project' } }, /the project's policy asks/],
    ['another rule in that place', ASK, CALL, { asked: { index: 0, action: 'prompt', id: 'was' } }, /has changed since/],
    ['no rule in that place', ASK, CALL, { asked: { index: 1, action: 'prompt' } }, /has changed since/],
    ['a policy with an error', `${ASK}\ntol = "x"`, CALL, { asked: undefined }, /the policy has an error: policy\.toml:6:1/],
  ])('refuses %s', async (_, text, call, more, reason) => {
    expect(
      await insertRule(text, {
        file: 'policy.toml',
        asked: { index: 0, action: 'prompt', ...(text === ASK ? { id: 'ask' } : {}) },
        call,
        action: 'allow',
        now: NOW,
        ...(text.startsWith('rule = []') ? { asked: undefined } : {}),
        ...more,
      }),
    ).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it('finds a name of its own for each', async () => {
    const first = await inserted(ASK);
    const second = await insertRule(first.text, {
      file: 'policy.toml',
      asked: { index: 1, action: 'prompt', id: 'ask' },
      call: CALL,
      action: 'allow',
      now: NOW,
    });
    expect(second).toMatchObject({ ok: true, id: `${first.id}-2`, index: 1 });
  });

  it('takes a policy with regular expressions', async () => {
    const { text } = await inserted(`[[rule]]\naction = "deny"\ntool = { regex = "^z" }\n${ASK}`);
    expect(decisionOf(text, CALL).action).toBe('allow');
  });

  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a.b', '"', "'", '*', '**', '/x', '', 'equals', '__proto__', '\r\n'),
  );
  const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
    name,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  }));
  const args = fc.dictionary(name, value, { maxKeys: 4 }).map((object) => parseJson(JSON.stringify(object)) as JsonObject);
  const action = fc.constantFrom<Action>('allow', 'deny', 'prompt');
  const comment = fc.constantFrom('', '\n', '# a comment\n', '\n# one\n#two\n', '  # indented\n', '\n# apart\n\n');
  const other = fc.record({
    action,
    tool: fc.constantFrom('zz', 'yy*'),
    comment,
    tail: fc.constantFrom('', '[rule.args]\na = """\n# x\n"""\n', 'description = "#" # c\n'),
  });
  const policy = fc
    .record({
      before: fc.array(other, { maxLength: 3 }),
      comment,
      after: fc.array(other, { maxLength: 2 }),
      bom: fc.boolean(),
      crlf: fc.boolean(),
      isCut: fc.boolean(),
    })
    .map(({ before, comment: above, after, bom, crlf, isCut }) => {
      const written = (rule: { action: Action; tool: string; comment: string; tail: string }): string =>
        `${rule.comment}[[rule]]\naction = "${rule.action}"\ntool = "${rule.tool}"\n${rule.tail}`;
      const text = `${before.map(written).join('')}${above}${ASK}${after.map(written).join('')}`;
      const lines = crlf ? text.replaceAll('\n', '\r\n') : text;
      return { text: `${bom ? '\uFEFF' : ''}${isCut ? lines.trimEnd() : lines}`, index: before.length };
    });

  it('touches no other byte, and decides just this call, whatever policy and call are', async () => {
    await fc.assert(
      fc.asyncProperty(
        policy,
        fc.string({ unit: 'binary', minLength: 1 }),
        args,
        fc.constantFrom('allow', 'deny'),
        async (made, tool, sent, wanted) => {
          fc.pre(!['zz'].includes(tool) && !tool.startsWith('yy') && tool.isWellFormed());
          const call: Call = { method: 'tools/call', server: 's', tool, args: sent };
          const asked = { index: made.index, action: 'prompt', id: 'ask' } as const;
          const result = await insertRule(made.text, { file: 'p.toml', asked, call, action: wanted, now: NOW });
          if (!result.ok) {
            expect(result.reason).toMatch(/surrogate|exactly|64 bits|too long/);
            return;
          }
          const { text, offset, inserted: rule } = result;
          expect(text.slice(0, offset) + text.slice(offset + rule.length)).toBe(made.text);
          expect(decisionOf(text, call)).toMatchObject({ action: wanted, rule: { id: result.id, index: made.index } });
          expect(decisionOf(text, { ...call, args: { ...sent, 'one more': 1 } }).rule?.id).toBe('ask');
          expect(decisionOf(text, { ...call, tool: `${tool}x` }).rule?.id).toBe('ask');
          // Such a call is refused before anybody is asked, so no fixture is about one.
          if (nameProblem(tool) !== undefined) return;
          const [fixture] = parseFixtures(result.fixture ?? '', 'f.json');
          expect(decisionOf(text, fixture?.call ?? CALL).rule?.id).toBe(result.id);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
