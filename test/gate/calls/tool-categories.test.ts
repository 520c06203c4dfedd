import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { ToolCategories } from '../../../src/gate/calls/tool-categories.ts';
import { registryFacts } from '../../support/registry-facts.ts';

function policyOf(toml: string) {
  const parsed = parsePolicy(toml, { file: 'test.toml' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return compilePolicy(parsed.policy);
}

const CALL = { method: 'tools/call', server: 's', tool: 'zorble' } as const;

describe('Kinds', () => {
  it('reads a definition once for as long as it is the same', () => {
    const kinds = new ToolCategories();
    const policy = policyOf('');
    let reads = 0;
    const facts = (fingerprint: string, text: string) => ({
      ...registryFacts({ status: 'pinned' }),
      fingerprint,
      definition: () => {
        reads++;
        return text;
      },
    });
    const plain = facts('sha256:1', '{"name":"zorble"}');
    expect(kinds.of(CALL, { policy, registry: plain })).toEqual(['unknown']);
    expect(kinds.of(CALL, { policy, registry: plain })).toEqual(['unknown']);
    expect(reads).toBe(1);
    const mail = facts('sha256:2', '{"name":"zorble","annotations":{"readOnlyHint":true}}');
    expect(kinds.of(CALL, { policy, registry: mail })).toEqual(['read']);
    expect(reads).toBe(2);
  });

  it('follows the policy, and knows what is no tool', () => {
    const kinds = new ToolCategories();
    expect(kinds.of(CALL, { policy: policyOf(''), registry: undefined })).toEqual(['unknown']);
    expect(kinds.of(CALL, { policy: policyOf('[classify]\nsend = ["zorble"]'), registry: undefined })).toEqual(['send']);
    const read = { method: 'resources/read', server: 's', resource: 'file:///a' };
    expect(kinds.of(read, { policy: policyOf(''), registry: undefined })).toEqual(['read']);
  });

  it('remembers what it said of a call until that is settled, also of several that are settled later', () => {
    const kinds = new ToolCategories();
    const known = { policy: policyOf('[classify]\nsend = ["zorble"]'), registry: undefined };
    const calls = ['zorble', 'other', 'zorble'].map((tool) => ({ ...CALL, tool }));
    for (const call of calls) kinds.of(call, known);
    expect(calls.map((call) => kinds.take(call))).toEqual([['send'], ['unknown'], ['send']]);
    expect(kinds.take({ ...CALL })).toBeUndefined();
  });
});
