import { describe, expect, it } from 'vitest';

import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { compileOwnPaths } from '../../../src/core/self/own-paths.ts';
import { completeResource } from '../../../src/gate/messages/methods.ts';
import { decideBy, policyFrom, POSIX } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';

describe('decide', () => {
  it('denies everything by an empty policy', () => {
    for (const call of [{ tool: 't' }, { method: 'resources/read', resource: 'x://y' }, { method: 'prompts/get', prompt: 'p' }]) {
      expect(decideBy('', call)).toEqual({
        action: 'deny',
        reason: 'default',
        findings: [],
        policyHash: compilePolicy(policyFrom('')).hash,
      });
    }
  });

  it('follows the default action', () => {
    expect(decideBy('[defaults]\naction = "allow"', { tool: 't' })).toMatchObject({ action: 'allow', reason: 'default' });
    expect(decideBy('[defaults]\naction = "prompt"', { tool: 't' }).action).toBe('prompt');
  });

  it.each([
    ['ping', false, 'allow', 'default'],
    ['what/ever', true, 'deny', 'unknown_method'],
    ['sampling/createMessage', false, 'deny', 'default'],
  ])('%s, unknown: %s, is %s where unknown methods are denied', (method, isUnknownMethod, action, reason) => {
    const policy = '[defaults]\nunknown_methods = "deny"';
    expect(decideBy(policy, { method, isUnknownMethod })).toMatchObject({ action, reason });
  });

  it('lets every method that is no call pass by default, known or not', () => {
    for (const isUnknownMethod of [true, false]) {
      expect(decideBy('', { method: 'x/y', isUnknownMethod })).toMatchObject({ action: 'allow', reason: 'default' });
    }
  });

  it('holds rules about methods that are no calls', () => {
    const policy = '[[rule]]\naction = "prompt"\nmethod = "completion/*"';
    expect(decideBy(policy, { method: 'completion/complete' })).toMatchObject({ action: 'prompt', reason: 'rule' });
  });

  it('gives the same decision for the same call', () => {
    const text = '[[rule]]\naction = "deny"\ntool = "t"\nargs.path = "/etc/**"';
    const call = { tool: 't', args: { path: '/etc/x' } };
    expect(decideBy(text, call)).toEqual(decideBy(text, call));
  });
});

describe('what amounts to reading a resource or getting a prompt', () => {
  const subscribe = (resource: string): Partial<Call> => ({
    method: 'resources/subscribe',
    resource,
    like: { method: 'resources/read', server: 'files', resource },
  });
  const complete = (value: string): Call | undefined => completeResource('files', 'x://{path}', { path: value });
  const prompt = { server: 'files', prompt: 'secret', args: { a: 'b' } };
  const rule = (action: string, lines: string): string => `[[rule]]\naction = "${action}"\n${lines}\n`;
  const ALL = rule('allow', 'method = "**"');
  const SECRET = rule('deny', 'resource = "x://secret/**"');
  const decided = (text: string, call: Partial<Call> | undefined): string => {
    const { action, rule: by } = decideBy(text, call ?? {});
    return `${action} ${by?.index ?? 'default'}`;
  };

  it.each([
    ['what denies the resource stands above what allows all methods', SECRET + ALL, 'deny 0'],
    ['what asks does, too', SECRET.replace('deny', 'prompt') + ALL, 'prompt 0'],
    ['whether it names the method of reading or not', SECRET + 'method = "resources/*d"\n' + ALL, 'deny 0'],
    ['the method is named above', rule('allow', 'method = "resources/subscribe"') + SECRET, 'allow 0'],
    ['the method is named below', SECRET + rule('allow', 'method = "resources/subscribe"'), 'deny 0'],
    ['reading is allowed above', rule('allow', 'resource = "x://secret/a"') + SECRET + ALL, 'allow 2'],
    ['who may read may subscribe, where nothing else is said', rule('allow', 'resource = "x://**"'), 'allow 0'],
    [
      'what allows reading widens nothing',
      rule('allow', 'resource = "x://**"') + rule('deny', 'method = "resources/s*"'),
      'deny 1',
    ],
    ['what is about another resource says nothing', rule('deny', 'resource = "x://other"') + ALL, 'allow 1'],
    ['nobody may read by default', rule('allow', 'resource = "y://**"'), 'deny default'],
    ['a NUL byte in what is read', rule('deny', 'resource = "/etc/**"') + ALL, 'deny 0', 'file:///x\0'],
  ])('%s', (_case, text, expected, uri = 'x://secret/a') => {
    expect(decided(text, subscribe(uri))).toBe(expected);
  });

  it('a template is what it comes to, and itself', () => {
    expect(decided(SECRET + ALL, complete('secret/'))).toBe('deny 0');
    expect(decided(SECRET + ALL, complete('public/'))).toBe('allow 1');
    expect(decided(rule('deny', 'resource = "x://{path}"') + ALL, complete('public/'))).toBe('deny 0');
    expect(decided(rule('allow', 'resource = "x://public/**"'), complete('public/a'))).toBe('allow 0');
    expect(decided(rule('allow', 'resource = "x://public/**"'), complete('public/../secret'))).toBe('deny default');
  });

  it('so it is with prompts', () => {
    const call = { ...prompt, method: 'completion/complete', like: { ...prompt, method: 'prompts/get' } };
    expect(decided(rule('deny', 'prompt = "secret"') + ALL, call)).toBe('deny 0');
    expect(decided(rule('prompt', 'prompt = "**"\nargs.a = "b"') + ALL, call)).toBe('prompt 0');
    expect(decided(rule('deny', 'prompt = "other"') + ALL, call)).toBe('allow 1');
  });

  it('so it is with the rules of a project', () => {
    const policy = compilePolicy(policyFrom(ALL), { project: policyFrom(SECRET + rule('prompt', 'method = "resources/**"')) });
    const call = { server: 'files', method: '', ...subscribe('x://secret/a') };
    expect(decide(call, { policy, paths: POSIX, realPaths: new Map() })).toMatchObject({
      action: 'deny',
      rule: { index: 0, source: 'project' },
    });
  });

  it('no policy lets a template lead to what is ours', () => {
    const own = compileOwnPaths(
      [{ path: '/home/user/.config/clawai', real: '/home/user/.config/clawai', what: 'the policy' }],
      'posix',
    );
    const call = completeResource('files', 'file:///home/{a}/.config/{b}', { a: 'user', b: 'clawai/policy.toml' });
    expect(decideBy(ALL, call ?? {}, { own }).reason).toBe('self');
  });
});

describe('the order of the guards', () => {
  const CHANGED = { registry: registryFacts({ status: 'changed' }) };
  const rule = (action: string): string => `[[rule]]\nid = "r"\naction = "${action}"\ntool = "t"\n`;
  const decided = (text: string): string => {
    const { action, reason } = decideBy(text, { tool: 't' }, CHANGED);
    return `${action} ${reason}`;
  };
  const NO_SERVERS = '[server_policy]\npolicy = "allowlist"\n';
  const ASK = '[pinning]\non_change = "prompt"\n';

  it.each([
    ['no rule about servers is needed for what a rule denies', rule('deny'), 'deny rule'],
    ['what a server may not be is denied before any rule', NO_SERVERS + rule('deny'), 'deny server_policy'],
    ['an allow by a rule skips no pin', rule('allow'), 'deny pinning'],
    ['a prompt is kept, and a later guard denies', rule('prompt'), 'deny pinning'],
    ['a later guard asks about what is allowed', ASK + rule('allow'), 'prompt pinning'],
    ['who is asked about a changed tool is asked about the call too', ASK + rule('prompt'), 'prompt pinning'],
    ['nobody is asked about what a rule denies', ASK + rule('deny'), 'deny rule'],
    ['a guard that only alerts leaves the prompt', `[pinning]\non_change = "alert"\n${rule('prompt')}`, 'prompt rule'],
    ['the default is a rule like any other', '[defaults]\naction = "prompt"', 'deny pinning'],
  ])('%s', (_name, text, expected) => {
    expect(decided(text)).toBe(expected);
  });

  it('what protects clawai comes first', () => {
    const text = NO_SERVERS + rule('allow');
    const call = { tool: 't', args: { command: 'clawai unwrap --all' } };
    expect(decideBy(text, call, CHANGED).reason).toBe('self');
  });

  it('a project can deny and ask, and no answer of its rules skips a pin', () => {
    const user = compilePolicy(policyFrom(ASK + rule('allow')), { project: policyFrom(rule('prompt')) });
    const call = { method: 'tools/call', server: 's', tool: 't' };
    const snapshot = { policy: user, paths: POSIX, realPaths: new Map<string, string>() };
    expect(decide(call, snapshot).rule?.source).toBe('project');
    expect(decide(call, { ...snapshot, ...CHANGED })).toMatchObject({ action: 'prompt', reason: 'pinning' });
  });
});
