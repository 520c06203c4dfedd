import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { GUARDS, STAGES } from '../../../src/core/decide/decide.ts';
import { explained, type World } from '../../support/explained.ts';
import { registryFacts } from '../../support/registry-facts.ts';
import { NOW, pastCall, sessionFacts } from '../../support/session-facts.ts';

describe('the stages', () => {
  /** What follows may be more of this table. */
  const OPEN = '[defaults]\naction = "allow"\n';
  const CALL = { tool: 't', server: 'files' };

  function stage(name: string, text: string, world: World = {}, call: Partial<Call> = CALL): readonly unknown[] {
    const found = explained(`${OPEN}${text}`, call, world);
    const account = found.stages.find((each) => each.stage === name);
    return [account?.says?.action ?? account?.silence, account?.hasDecided];
  }

  const DECLARED = registryFacts({
    // Read schemas are kept by fingerprint.
    fingerprint: `sha256:${'5'.repeat(64)}`,
    definition: () => '{"name":"t","inputSchema":{"required":["a"]}}',
  });
  const FINDING = { rule: 'a.b', severity: 'critical' } as const;
  const FOUND = { findings: [FINDING], ofServer: [], isApproved: false };
  const EMPTY = { now: NOW, buckets: new Map([['["files"]', { tokens: 0, time: NOW }]]) };
  const READ = sessionFacts({ calls: [pastCall(5)] });

  it.each<[name: string, text: string, world: World, says: string, hasDecided: boolean]>([
    ['self', '', {}, 'clear', false],
    ['server_policy', '', {}, 'off', false],
    ['server_policy', '[server_policy]\npolicy = "denylist"\ndeny = ["files"]', {}, 'deny', true],
    ['server_policy', '[server_policy]\npolicy = "denylist"\ndeny = ["x"]', {}, 'clear', false],
    [
      'server_policy',
      'unknown_server = "deny"\n',
      { registry: registryFacts({ status: 'unlisted', fingerprint: undefined }) },
      'deny',
      true,
    ],
    ['flow', '', {}, 'unknown', false],
    ['flow', '', { session: sessionFacts() }, 'clear', false],
    ['flow', '[flow]\nenabled = false', { session: READ }, 'off', false],
    ['flow', '', { session: READ, categories: ['send'] }, 'alert', false],
    ['flow', '[flow]\naction = "deny"', { session: READ, categories: ['send'] }, 'deny', true],
    ['flow', '[flow]\naction = "prompt"', { session: READ, categories: ['send'] }, 'prompt', true],
    ['rules', '', {}, 'allow', true],
    ['rules', '[[rule]]\naction = "prompt"\ntool = "t"', {}, 'prompt', true],
    ['schema', '', {}, 'unknown', false],
    ['schema', '', { registry: DECLARED }, 'alert', false],
    ['schema', '[schema]\nenabled = false', { registry: DECLARED }, 'off', false],
    ['schema', '[schema]\non_mismatch = "deny"', { registry: DECLARED }, 'deny', true],
    ['pinning', '', {}, 'unknown', false],
    ['pinning', '', { registry: registryFacts() }, 'clear', false],
    ['pinning', '[pinning]\nenabled = false', { registry: registryFacts({ status: 'changed' }) }, 'off', false],
    ['pinning', '[pinning]\non_change = "alert"', { registry: registryFacts({ status: 'changed' }) }, 'alert', false],
    ['pinning', '', { registry: registryFacts({ status: 'changed' }) }, 'deny', true],
    ['pinning', '[pinning]\non_change = "prompt"', { registry: registryFacts({ isServerChanged: true }) }, 'prompt', true],
    ['rate_limits', '', {}, 'off', false],
    ['rate_limits', '[rate_limits]\nenabled = true', {}, 'unknown', false],
    ['rate_limits', '[rate_limits]\nenabled = true', { rates: { now: NOW, buckets: new Map() } }, 'clear', false],
    ['rate_limits', '[rate_limits]\nenabled = true', { rates: EMPTY }, 'deny', true],
    ['detection', '', {}, 'unknown', false],
    ['detection', '[detection]\nenabled = false', { detection: FOUND }, 'off', false],
    ['detection', '', { detection: { ...FOUND, findings: [] } }, 'clear', false],
    ['detection', '', { detection: FOUND }, 'alert', false],
    ['detection', '[detection]\non_definition = "deny"', { detection: FOUND }, 'deny', true],
    ['detection', '[detection]\nrequire_approval = true', { detection: FOUND }, 'prompt', true],
  ])('%s %j', (name, text, world, says, hasDecided) => {
    expect(stage(name, text, world)).toEqual([says, hasDecided]);
  });

  it('what protects clawai itself ends it; what the others would say is told all the same', () => {
    const { stages } = explained(
      '[[rule]]\naction = "prompt"\ntool = "t"',
      { tool: 't', args: { command: 'clawai unwrap' } },
      { registry: registryFacts({ status: 'changed' }) },
    );
    expect(stages.map(({ stage: name, says, isSkipped }) => [name, says?.action, isSkipped])).toEqual([
      ['self', 'deny', false],
      ['server_policy', undefined, true],
      ['flow', undefined, true],
      ['rules', 'prompt', true],
      ['schema', undefined, true],
      ['dlp', undefined, true],
      ['pinning', 'deny', true],
      ['rate_limits', undefined, true],
      ['detection', undefined, true],
    ]);
  });

  it('they are in the order in which policies are shown', () => {
    expect(explained('', CALL).stages.map(({ stage: name }) => name)).toEqual([
      'self',
      'server_policy',
      'flow',
      'rules',
      'schema',
      'dlp',
      'pinning',
      'rate_limits',
      'detection',
    ]);
  });

  it.each([
    ['', { a: 'x' }, 'clear', false],
    ['', { password: 'correct horse' }, 'alert', false],
    ['[dlp]\nenabled = false', { password: 'correct horse' }, 'off', false],
    ['[dlp]\non_arguments = "redact"', { password: 'correct horse' }, 'alert', false],
    ['[dlp]\non_arguments = "deny"', { password: 'correct horse' }, 'deny', true],
  ] as const)('dlp %j, %j', (text, args, says, hasDecided) => {
    expect(stage('dlp', text, {}, { ...CALL, args })).toEqual([says, hasDecided]);
  });

  it('a limit is told of with the calls that are left', () => {
    const buckets = new Map([['["files"]', { tokens: 3.5, time: NOW }]]);
    const { stages } = explained('[rate_limits]\nenabled = true', CALL, { rates: { now: NOW, buckets } });
    expect(stages.find(({ stage: name }) => name === 'rate_limits')?.known.limits).toMatchObject([
      { of: 'server', left: 3, rpm: 60 },
    ]);
  });
});

it('no stage of a decision is left out', () => {
  // The rules on flow stand between the two lists.
  expect(explained('', { tool: 't' }).stages).toHaveLength(GUARDS.length + 1 + STAGES.length);
});
