import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { createSubject, NO_SUBJECT } from '../../../src/core/match/subject.ts';
import type { RegistryFacts } from '../../../src/core/facts.ts';
import { decideBy, policyFrom } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';

const A = `sha256:${'a'.repeat(64)}`;
const B = `sha256:${'b'.repeat(64)}`;

/** What a policy of one rule, and no default but the opposite, makes of a call. */
function isMatch(action: 'allow' | 'deny', lines: string, call: Partial<Call>, registry?: RegistryFacts): boolean {
  const text = `[pinning]\nenabled = false\n[defaults]\naction = "${action === 'deny' ? 'allow' : 'deny'}"\n[[rule]]\naction = "${action}"\n${lines}`;
  return decideBy(text, call, registry === undefined ? {} : { registry }).rule !== undefined;
}

describe('category', () => {
  it.each([
    ['get_or_create_user', '"read"', true, false],
    ['get_or_create_user', '["read", "write"]', true, true],
    ['get_or_create_user', '"send"', false, false],
    ['get_user', '"read"', true, true],
    ['fetch_url', '"read"', true, false],
    ['frobnicate', '["read", "write", "send", "compute"]', false, false],
    ['frobnicate', '"unknown"', true, true],
  ])('%s is %s: to a deny rule %s, to an allow rule %s', (tool, category, denies, allows) => {
    const lines = `tool = "**"\ncategory = ${category}`;
    expect([isMatch('deny', lines, { tool }), isMatch('allow', lines, { tool })]).toEqual([denies, allows]);
  });

  it('doubt counts against the call in an exception too', () => {
    const lines = 'tool = "**"\nunless = { category = "read" }';
    expect(isMatch('deny', lines, { tool: 'get_or_create_user' })).toBe(true);
    expect(isMatch('deny', lines, { tool: 'get_user' })).toBe(false);
    expect(isMatch('allow', lines, { tool: 'get_or_create_user' })).toBe(false);
    expect(isMatch('allow', lines, { tool: 'create_user' })).toBe(true);
  });

  it('resources and prompts are read, and other requests are unknown', () => {
    const subject = (call: Partial<Call>): readonly string[] =>
      createSubject({ method: 'm', server: 's', ...call }, { policy: compilePolicy(policyFrom('')) }).categories();
    expect([subject({ resource: 'x://y' }), subject({ prompt: 'p' }), subject({})]).toEqual([['read'], ['read'], ['unknown']]);
    expect(NO_SUBJECT.categories()).toEqual(['unknown']);
  });

  it('goes by the definition, and by its annotations only where it is trusted', () => {
    const definition = (): string => '{"annotations":{"readOnlyHint":true}}';
    const lines = 'tool = "**"\ncategory = "read"';
    const call = { tool: 'frobnicate' };
    expect(isMatch('allow', lines, call, registryFacts({ definition }))).toBe(true);
    expect(isMatch('allow', lines, call, registryFacts({ definition, status: 'new' }))).toBe(false);
    expect(isMatch('allow', lines, call, registryFacts({ definition, status: 'changed' }))).toBe(false);
    expect(isMatch('allow', lines, call, registryFacts({ definition, isServerChanged: true }))).toBe(false);
    expect(isMatch('allow', lines, call, registryFacts({ definition: () => '"no object"' }))).toBe(false);
  });

  it('a definition that is not kept may say anything, unless the policy says what the tool is', () => {
    const registry = registryFacts({ definition: () => undefined, fingerprint: A });
    const lines = 'tool = "**"\ncategory = "read"';
    expect(isMatch('allow', lines, { tool: 'get_user' }, registry)).toBe(false);
    expect(isMatch('deny', lines, { tool: 'get_user' }, registry)).toBe(true);
    expect(isMatch('deny', 'tool = "**"\ncategory = "unknown"', { tool: 'get_user' }, registry)).toBe(true);
    expect(isMatch('allow', `${lines}\n[classify]\nread = ["get_*"]`, { tool: 'get_user' }, registry)).toBe(true);
  });

  it('the definition is asked for only where a rule about categories is reached', () => {
    const definition = (): never => {
      throw new Error('asked');
    };
    expect(isMatch('deny', 'tool = "x"\ncategory = "read"', { tool: 'y' }, registryFacts({ definition }))).toBe(false);
    expect(isMatch('deny', 'tool = "y"\nargs.a = 1\ncategory = "read"', { tool: 'y' }, registryFacts({ definition }))).toBe(
      false,
    );
    expect(() => isMatch('deny', 'tool = "y"\ncategory = "read"', { tool: 'y' }, registryFacts({ definition }))).toThrow('asked');
  });

  it('is what the user says it is, for rules of the project too', () => {
    const user = '[defaults]\naction = "allow"\n[classify]\nsend = ["frobnicate"]\n';
    const rule = '[[rule]]\naction = "deny"\ntool = "**"\ncategory = "send"';
    expect(decideBy(user + rule, { tool: 'frobnicate' }).action).toBe('deny');
    expect(decideBy(user + rule, { tool: 'frobnicat' }).action).toBe('allow');
    const { project } = compilePolicy(policyFrom(user), { project: policyFrom(rule) });
    if (project === undefined) throw new Error('no project');
    const call = { method: 'tools/call', server: 's', tool: 'frobnicate' };
    expect(createSubject(call, { policy: project }).categories()).toEqual(['send']);
  });
});

describe('fingerprint', () => {
  const lines = `tool = "t"\nfingerprint = "${A}"`;
  it.each<[string | undefined, boolean, boolean]>([
    [A, true, true],
    [B, false, false],
    // It may be the one that is denied, and nobody knows that it is the one that is allowed.
    [undefined, true, false],
  ])('%s: to a deny rule %s, to an allow rule %s', (fingerprint, denies, allows) => {
    const registry = registryFacts({ fingerprint });
    expect([isMatch('deny', lines, { tool: 't' }, registry), isMatch('allow', lines, { tool: 't' }, registry)]).toEqual([
      denies,
      allows,
    ]);
  });

  it('in an exception', () => {
    const except = `tool = "t"\nunless = { fingerprint = "${A}" }`;
    expect(isMatch('deny', except, { tool: 't' }, registryFacts({ fingerprint: A }))).toBe(false);
    expect(isMatch('deny', except, { tool: 't' }, registryFacts({ fingerprint: B }))).toBe(true);
    expect(isMatch('deny', except, { tool: 't' }, registryFacts({ fingerprint: undefined }))).toBe(true);
    expect(isMatch('allow', except, { tool: 't' }, registryFacts({ fingerprint: undefined }))).toBe(false);
  });
});
