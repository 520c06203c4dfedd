import { expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { elsewhereOf } from '../../../src/policy-tools/explain/explain-conditions.ts';
import { policyFrom } from '../../support/policy.ts';

const TOOL: Call = { method: 'tools/call', server: 'files', tool: 't' };

it.each<[lines: string, call: Call, field: string]>([
  ['tool = "u"', TOOL, 'tool'],
  ['tool = "u"\nserver = "x"', TOOL, 'server'],
  ['tool = "t"\nmethod = "x/y"', TOOL, 'method'],
  ['prompt = "t"', TOOL, 'method'],
  ['resource = "**"', TOOL, 'method'],
  ['prompt = "p"', { method: 'prompts/get', server: 'files', prompt: 'q' }, 'prompt'],
  ['tool = "t"', { method: 'resources/read', server: 'files', resource: 'x' }, 'method'],
  ['prompt = "p"', { method: 'completion/complete', server: 'files', prompt: 'p' }, 'method'],
  ['tool = "t"', { ...TOOL, server: 'native', origin: 'native' }, 'native'],
])('%j', (lines, call, field) => {
  const policy = compilePolicy(policyFrom(`[[rule]]\naction = "deny"\n${lines}\n`));
  const [rule] = policy.rules;
  if (rule === undefined) throw new Error('there is no rule');
  if (field !== 'native') expect(policy.candidates(call)).toEqual([]);
  expect(elsewhereOf(rule, call)).toBe(field);
});
