import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import { type Action, type Decision, ruleName } from '../../../src/core/decision.ts';
import { type CompiledPolicy, compilePolicy } from '../../../src/core/match/compile.ts';
import { pathsToResolve } from '../../../src/core/match/paths-to-resolve.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import type { Policy } from '../../../src/core/policy/tables.ts';
import type { PolicyError } from '../../../src/core/policy/types.ts';
import { policyFrom, POSIX } from '../../support/policy.ts';

function projectFrom(text: string): Policy {
  const result = parsePolicy(text, { file: 'project.toml', isProject: true });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.policy;
}

function both(own: string, project: string): CompiledPolicy {
  return compilePolicy(policyFrom(own), { project: projectFrom(project) });
}

function decideWith(policy: CompiledPolicy, call: Partial<Call>): Decision {
  return decide({ method: 'tools/call', server: 's', ...call }, { policy, paths: POSIX, realPaths: new Map() });
}

function errorsOf(text: string): readonly PolicyError[] {
  const result = parsePolicy(text, { file: 'project.toml', isProject: true });
  return result.ok || 'syntax' in result ? [] : result.errors;
}

function rule(action: Action): string {
  return `[[rule]]\naction = "${action}"\ntool = "t"\n`;
}

describe("a project's policy", () => {
  it.each([
    ['', 'require_person = true', 'project'],
    ['require_person = true', '', undefined],
    ['require_person = true', 'require_person = true', undefined],
  ])('of two rules that ask, the one that demands a person counts: %j, %j', (own, others, source) => {
    const asking = (line: string): string => `[[rule]]\naction = "prompt"\ntool = "**"\n${line}\n`;
    const call = { method: 'tools/call', server: 's', tool: 't' };
    const decision = decide(call, { policy: both(asking(own), asking(others)), paths: POSIX, realPaths: new Map() });
    expect([decision.rule?.source, decision.rule?.requirePerson]).toEqual([source, true]);
  });

  it.each<[Action, Action | undefined, Action, 'project' | undefined]>([
    ['allow', undefined, 'allow', undefined],
    ['allow', 'prompt', 'prompt', 'project'],
    ['allow', 'deny', 'deny', 'project'],
    ['prompt', undefined, 'prompt', undefined],
    ['prompt', 'prompt', 'prompt', undefined],
    ['prompt', 'deny', 'deny', 'project'],
    ['deny', undefined, 'deny', undefined],
    ['deny', 'prompt', 'deny', undefined],
    ['deny', 'deny', 'deny', undefined],
  ])('the stricter wins: %s and %s is %s', (own, project, action, source) => {
    const policy = both(rule(own), project === undefined ? '' : rule(project));
    const decision = decideWith(policy, { tool: 't' });
    expect(decision.action).toBe(action);
    expect(decision.rule?.source).toBe(source);
    expect(decision.rule === undefined ? undefined : ruleName(decision.rule)).toBe(
      source === 'project' ? 'project: rule 1' : 'rule 1',
    );
  });

  it("is stricter than the user's defaults, and says nothing of what it has no rule about", () => {
    const policy = both('[defaults]\naction = "allow"', `${rule('deny')}[[rule]]\naction = "deny"\nmethod = "x/y"\n`);
    expect(decideWith(policy, { tool: 't' })).toMatchObject({ action: 'deny', rule: { source: 'project' } });
    expect(decideWith(policy, { tool: 'u' })).toMatchObject({ action: 'allow', reason: 'default' });
    expect(decideWith(policy, { method: 'x/y' }).action).toBe('deny');
    expect(policy.concernsMethod('x/y')).toBe(true);
    expect(policy.concernsMethod('x/z')).toBe(false);
    expect(['x/y', 'x/z'].map((method) => policy.mayStop({ method, server: 's' }))).toEqual([true, false]);
  });

  it('is asked by itself: an earlier allow of the user does not hide its rules', () => {
    const policy = both('[[rule]]\naction = "allow"\ntool = "**"', rule('prompt'));
    expect(decideWith(policy, { tool: 't' }).action).toBe('prompt');
  });

  it('holds for what a call is like', () => {
    const policy = both('[defaults]\naction = "allow"', '[[rule]]\naction = "deny"\nresource = "file:///x"');
    const like = { method: 'resources/read', server: 's', resource: 'file:///x' };
    expect(decideWith(policy, { method: 'resources/subscribe', resource: 'file:///x', like }).action).toBe('deny');
  });

  it('has its paths looked up too, also behind a rule of the user that looks at nothing', () => {
    const policy = both('[[rule]]\naction = "allow"\ntool = "**"', '[[rule]]\naction = "deny"\ntool = "t"\nargs.p = "/etc/**"');
    const call: Call = { method: 'tools/call', server: 's', tool: 't', args: { p: '/home/user/link' } };
    expect([...(pathsToResolve(policy, call, new Reading(POSIX)) ?? [])]).toContain('/home/user/link');
    const realPaths = new Map([['/home/user/link', '/etc/passwd']]);
    expect(decide(call, { policy, paths: POSIX, realPaths }).action).toBe('deny');
    expect(decide({ ...call, args: { p: '/a\0' } }, { policy, paths: POSIX, realPaths })).toMatchObject({
      action: 'deny',
      reason: 'nul_byte',
      rule: { source: 'project' },
    });
  });

  it('is covered by the hash, and each decision has it', () => {
    const alone = compilePolicy(policyFrom(rule('allow')));
    const hashes = [alone, both(rule('allow'), ''), both(rule('allow'), rule('deny')), both('', rule('deny'))].map(
      ({ hash }) => hash,
    );
    expect(new Set(hashes).size).toBe(4);
    const policy = both(rule('allow'), rule('deny'));
    expect(decideWith(policy, { tool: 't' }).policyHash).toBe(policy.hash);
    expect(decideWith(policy, { tool: 'other' }).policyHash).toBe(policy.hash);
  });

  it.each([
    ['[defaults]\naction = "allow"', [['defaults'], '"defaults" does not belong in a project\'s policy']],
    ['[pinning]\nenabled = false', [['pinning'], '"pinning" does not belong in a project\'s policy']],
    ['[approval]\ntimeout = "1s"', [['approval'], '"approval" does not belong in a project\'s policy']],
    [rule('deny') + rule('allow'), [['rule', 1, 'action'], "a project's policy cannot allow anything"]],
    ['[[rules]]\naction = "deny"', [['rules'], 'unknown key "rules" in a project\'s policy']],
    ['[[rule]]\naction = "dney"\ntool = "t"', [['rule', 0, 'action'], 'unknown action "dney"']],
  ])('may only deny or prompt: %j', (text, [path, message]) => {
    expect(errorsOf(text)).toEqual([expect.objectContaining({ path, message })]);
  });

  it('is nothing where it is empty', () => {
    expect(errorsOf('')).toEqual([]);
    expect(decideWith(both(rule('allow'), ''), { tool: 't' }).action).toBe('allow');
  });
});

describe('a policy that is gone', () => {
  const policy = compilePolicy(policyFrom(''), { isGone: true });

  it.each<[Partial<Call>, Action]>([
    [{ tool: 't' }, 'deny'],
    [{ method: 'sampling/createMessage' }, 'deny'],
    [{ method: 'what/ever', isUnknownMethod: true }, 'deny'],
    [{ method: 'ping' }, 'allow'],
  ])('%j: %s', (call, action) => {
    expect(decideWith(policy, call)).toMatchObject({ action, reason: action === 'deny' ? 'policy_gone' : 'default' });
  });

  it('denies what is like a call', () => {
    const like = { method: 'resources/read', server: 's', resource: 'file:///x' };
    expect(decideWith(policy, { method: 'resources/subscribe', resource: 'file:///x', like }).reason).toBe('policy_gone');
  });
});
