import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Call } from '../../../src/core/call.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { matchesNames } from '../../../src/core/match/evaluate.ts';
import { policyFrom } from '../../support/policy.ts';
import { leastHits, runs } from '../../support/runs.ts';

const METHODS = ['tools/call', 'prompts/get', 'resources/read', 'completion/complete', ''];

/** What the index must find, the slow way. */
function candidatesOf(policy: ReturnType<typeof compilePolicy>, call: Call): number[] {
  return policy.rules
    .filter((rule) => {
      const implied = rule.tool ? 'tools/call' : rule.prompt ? 'prompts/get' : rule.resource ? 'resources/read' : undefined;
      return (rule.method !== undefined || implied === call.method) && matchesNames(rule, call);
    })
    .map(({ ref }) => ref.index);
}

const glob = fc
  .array(fc.constantFrom('a', 'b', '_', '*', '?', 'abcdefghijklmnopqrstuvwxyz'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const field = fc.oneof(
  glob.map((text) => JSON.stringify(text)),
  fc.array(glob, { minLength: 1, maxLength: 3 }).map((texts) => JSON.stringify(texts)),
  glob.map((text) => `{ not = ${JSON.stringify(text)} }`),
  glob.map((text) => `{ equals = ${JSON.stringify(text)}, regex = "a" }`),
  glob.map((text) => `{ regex = "^a", not = ${JSON.stringify(text)} }`),
);
const rule = fc
  .record({
    subject: fc.constantFrom('tool', 'prompt', 'resource', 'method'),
    field,
    server: fc.option(field),
    method: fc.option(fc.constantFrom('"*/call"', '["tools/call", "x"]', '{ equals = "" }', '{ not = "tools/call" }', '"**"')),
  })
  .map(({ subject, field: value, server, method }) => {
    const lines = [`[[rule]]\naction = "deny"\n${subject} = ${value}`];
    if (server !== null) lines.push(`server = ${server}`);
    if (method !== null && subject !== 'method') lines.push(`method = ${method}`);
    return lines.join('\n');
  });
const name = fc
  .array(fc.constantFrom('a', 'b', '_', 'abcdefghijklmnopqrstuvwxyz'), { maxLength: 4 })
  .map((parts) => parts.join(''));
const call: fc.Arbitrary<Call> = fc
  .record({
    method: fc.constantFrom(...METHODS),
    server: name,
    subject: fc.constantFrom('tool', 'prompt', 'resource', 'none'),
    value: name,
  })
  .map(({ method, server, subject, value }) => ({ method, server, ...(subject === 'none' ? {} : { [subject]: value }) }));

describe('hazard 8: file order', () => {
  it('finds exactly the rules that match, in file order, first and from memory', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 12 }), fc.array(call, { minLength: 1, maxLength: 12 }), (rules, calls) => {
        const policy = compilePolicy(policyFrom(rules.join('\n')));
        for (const each of [...calls, ...calls]) {
          const expected = candidatesOf(policy, each);
          found += expected.length;
          expect(policy.candidates(each).map(({ ref }) => ref.index)).toEqual(expected);
          if (expected.length > 0) expect(policy.concernsMethod(each.method)).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
    expect(found).toBeGreaterThan(leastHits(500));
  });
});

describe('createRuleIndex', () => {
  it('tells calls apart whose parts run together', () => {
    const policy = compilePolicy(policyFrom('[[rule]]\naction = "deny"\ntool = "b"\nserver = "a"'));
    expect(policy.candidates({ method: 'tools/call', server: 'a', tool: 'b' })).toHaveLength(1);
    expect(policy.candidates({ method: 'tools/call', server: 'ab', tool: '' })).toHaveLength(0);
    expect(policy.candidates({ method: 'tools/call', server: '', tool: 'ab' })).toHaveLength(0);
  });

  it('stays right when more names come than it remembers', () => {
    const policy = compilePolicy(policyFrom('[[rule]]\naction = "deny"\ntool = "*7"'));
    for (let pass = 0; pass < 2; pass += 1) {
      for (let index = 0; index < 10_000; index += 1) {
        const tool = `tool_${index}${'x'.repeat(index % 500 === 0 ? 300 : 0)}`;
        expect(policy.candidates({ method: 'tools/call', server: 's', tool })).toHaveLength(tool.endsWith('7') ? 1 : 0);
      }
    }
  });

  it.each([
    ['tool = "x"', 'tools/call', true],
    ['tool = "x"', 'ping', false],
    ['method = "completion/*"', 'completion/complete', true],
    ['method = "completion/*"', 'ping', false],
    ['method = { not = "tools/call" }', 'ping', true],
    ['prompt = "x"\nmethod = "prompts/list"', 'prompts/get', false],
  ])('%s concerns %s: %j', (line, method, expected) => {
    expect(compilePolicy(policyFrom(`[[rule]]\naction = "deny"\n${line}`)).concernsMethod(method)).toBe(expected);
  });
});
