import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { decide } from '../../../src/core/decide/decide.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { policyFrom } from '../../support/policy.ts';

const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const paths = { home: '/home/u', cwd: '/home/u', platform: 'posix', remote: false } as const;

function decided(toml: string, args: Call['args']): string {
  const policy = compilePolicy(policyFrom(toml));
  const call: Call = { method: 'elicitation/create (answer)', server: 's', isAnswer: true, args };
  const { action, reason, isRedacted = false } = decide(call, { policy, paths, realPaths: new Map() });
  return `${action} ${reason}${isRedacted ? ' redacted' : ''}`;
}

describe('an answer of the client', () => {
  it('is decided by its secrets, and by nothing else', () => {
    const rest = '[defaults]\naction = "deny"\nunknown_methods = "deny"\n[server_policy]\npolicy = "allowlist"\n';
    for (const [onArguments, wanted] of [
      ['alert', 'allow default'],
      ['redact', 'allow default redacted'],
      ['prompt', 'prompt dlp'],
      ['deny', 'deny dlp'],
    ] as const) {
      const policy = `${rest}[dlp]\non_arguments = "${onArguments}"\n`;
      expect(decided(policy, { content: { a: KEY } })).toBe(wanted);
      expect(decided(policy, { content: { a: 'b' }, path: '/home/u/.ssh/id_rsa' })).toBe('allow default');
    }
  });

  it('is decided as the policy says for its server', () => {
    const policy = '[dlp]\non_arguments = "deny"\n[dlp.server]\ns = "alert"\n';
    expect(decided(policy, { content: { a: KEY } })).toBe('allow default');
  });
});
