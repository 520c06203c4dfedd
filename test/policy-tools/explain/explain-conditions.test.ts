import { describe, expect, it } from 'vitest';
import type { RuleAccount } from '../../../src/policy-tools/explain/explanation.ts';
import { onlyRule } from '../../support/explained.ts';
import { registryFacts } from '../../support/registry-facts.ts';

/** Of a condition on a value: what settles it, and how that was read. */
function settled(because: RuleAccount['conditions'][number]['because'] | undefined): readonly unknown[] {
  if (because?.kind !== 'value') return [because?.kind];
  const { where, pointer, value, test } = because.settling;
  return [where, pointer, value, test.asks.each, test.form, test.readAs];
}

describe('conditions on anything else', () => {
  const fields = (rule: RuleAccount): readonly (readonly [string, boolean])[] =>
    rule.conditions.map(({ field, holds }) => [field, holds]);

  it('names', () => {
    const lines = 'tool = "t*"\nserver = ["files", "x"]\nmethod = "tools/call"';
    expect(fields(onlyRule('deny', lines, { tool: 'tt' }))).toEqual([
      ['method', true],
      ['server', true],
      ['tool', true],
    ]);
  });

  it('a resource, in its readings too', () => {
    const rule = onlyRule('deny', 'resource = "file:///etc/**"', { method: 'resources/read', resource: 'file:/etc/x' });
    expect(settled(rule.conditions[0]?.because)).toEqual([
      'value',
      undefined,
      'file:/etc/x',
      ['"file:///etc/**"'],
      '/etc/x',
      ['file_uri'],
    ]);
  });

  it.each([
    ['deny', 'category = ["send", "write"]', true],
    ['allow', 'category = "send"', false],
  ])('%s %s', (action, line, holds) => {
    const rule = onlyRule(action, `tool = "**"\n${line}`, { tool: 'fetch' }, { categories: ['read', 'send'] });
    expect(rule.conditions.at(-1)).toMatchObject({ field: 'category', holds, because: { categories: ['read', 'send'] } });
  });

  it.each([
    ['deny', undefined, true],
    ['allow', undefined, false],
    ['deny', registryFacts(), true],
    ['deny', registryFacts({ fingerprint: `sha256:${'2'.repeat(64)}` }), false],
  ])('%s a fingerprint, seen: %j', (action, registry, holds) => {
    const line = `tool = "**"\nfingerprint = "sha256:${'1'.repeat(64)}"`;
    const rule = onlyRule(action, line, { tool: 't' }, registry === undefined ? {} : { registry });
    const because = { kind: 'fingerprint', seen: registry?.fingerprint };
    expect(rule.conditions.at(-1)).toMatchObject({ field: 'fingerprint', holds, because });
  });

  it.each([
    ['/a/secret', 'miss', 'match'],
    ['/a/x', 'match', 'miss'],
    ['/b', 'miss', 'miss'],
  ])('an exception: %s', (path, outcome, excepted) => {
    const rule = onlyRule('deny', 'tool = "t"\nargs.p = "/a/**"\nunless = { args.p = "**/secret" }', {
      tool: 't',
      args: { p: path },
    });
    expect([rule.outcome, rule.unless?.outcome]).toEqual([outcome, excepted]);
  });

  it('an exception of another name, and one with a NUL byte', () => {
    const other = onlyRule('deny', 'tool = "t"\nunless = { server = "x" }', { tool: 't' });
    expect([other.outcome, other.unless?.outcome, other.unless?.conditions[0]?.holds]).toEqual(['match', 'miss', false]);
    const nul = onlyRule('deny', 'tool = "t"\nunless = { args.p = "/x/**" }', { tool: 't', args: { p: '/x/\0' } });
    expect([nul.outcome, nul.unless?.outcome]).toEqual(['nul', 'nul']);
  });
});
