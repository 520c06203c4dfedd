import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callEvent } from '../../../../src/audit/events.ts';
import { KnownDefinitions } from '../../../../src/cli/policy/replay/known-definitions.ts';
import { readEvent } from '../../../../src/cli/policy/replay/recorded-call.ts';
import { Replay } from '../../../../src/cli/policy/replay/replay.ts';
import type { Call } from '../../../../src/core/call.ts';
import { decide } from '../../../../src/core/decide/decide.ts';
import type { Decision } from '../../../../src/core/decision.ts';
import type { JsonObject, JsonValue } from '../../../../src/core/json.ts';
import { compilePolicy, type CompiledPolicy } from '../../../../src/core/match/compile.ts';
import { POSIX, policyFrom } from '../../../support/policy.ts';
import { leastHits, runs } from '../../../support/runs.ts';

const TOKEN = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
const PATHS = [
  'path',
  'password',
  '"*"',
  '"**"',
  'options.path',
  'options."**"',
  '"**".path',
  'list',
  '"/list/0"',
  'options',
  'body.path',
];
const MATCHERS = [
  '"**/.ssh/**"',
  '["/etc/**", "~/.aws/**"]',
  '"ghp_*"',
  '"*secret*"',
  '{ not = "/home/user/**" }',
  '{ exists = true }',
  '{ exists = false }',
  '{ equals = "x" }',
  '{ regex = "^[a-z]+$" }',
  '{ gt = 3 }',
  '"**"',
];

const text = fc.constantFrom(
  'x',
  '/etc/passwd',
  '~/.ssh/id_rsa',
  '/home/user/project/a.ts',
  TOKEN,
  `token=${TOKEN} and /etc/hosts`,
  `{"path": "/etc/passwd", "password": "hunter2hunter2"}`,
  // No word of a seed phrase: the search for those would take most of the time.
  `${'longer '.repeat(430)}/etc/passwd`,
  '',
);
const name = fc.constantFrom('path', 'password', 'options', 'list', 'body', 'note', 'api_key', TOKEN);
const { args } = fc.letrec<{ args: JsonObject; value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(5, 1, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('args'),
    fc
      .integer({ min: 250, max: 300 })
      .map((count) => Array.from({ length: count }, (_, at) => (at === count - 1 ? '/etc/last' : 'x'))),
  ),
  args: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
}));

const condition = fc
  .tuple(fc.constantFrom(...PATHS), fc.constantFrom(...MATCHERS))
  .map(([path, matcher]) => `args.${path} = ${matcher}`);
const rule = fc
  .record({
    action: fc.constantFrom('allow', 'deny', 'prompt'),
    tool: fc.constantFrom('"**"', '"read_*"', '"read_file"', '"write_file"'),
    condition: fc.option(condition, { nil: '', freq: 6 }),
    unless: fc.option(condition, { nil: undefined, freq: 2 }),
  })
  .map(
    ({ action, tool, condition: asked, unless }) =>
      `[[rule]]\naction = "${action}"\ntool = ${tool}\n${asked}\n${unless === undefined ? '' : `[rule.unless]\n${unless}\n`}`,
  );
const policy = fc
  .tuple(fc.constantFrom('allow', 'deny', 'prompt'), fc.array(rule, { maxLength: 6 }))
  .map(([action, rules]) => compilePolicy(policyFrom(`[defaults]\naction = "${action}"\n${rules.join('')}`)));
const call = fc
  .record({ tool: fc.constantFrom('read_file', 'write_file', 'other'), args })
  .map((of): Call => ({ method: 'tools/call', server: 's', ...of }));

function decideBy(compiled: CompiledPolicy, of: Call): Decision {
  return decide(of, { policy: compiled, paths: POSIX, realPaths: new Map() });
}

function record(of: Call, decision: Decision): string {
  return callEvent({
    id: 'a',
    time: 1_800_000_000_000,
    session: 's-1',
    call: of,
    requestId: '1',
    decision,
    asked: decision.action === 'prompt' ? 'granted' : undefined,
    reason: decision.reason,
    isObserved: false,
    inspectors: ['policy'],
    categories: undefined,
    turn: undefined,
    latency: 1,
    answer: undefined,
    intercepted: undefined,
    firstSeenAs: undefined,
  }).body;
}

function replay(next: CompiledPolicy, others: readonly CompiledPolicy[], body: string): Replay {
  const definitions = new KnownDefinitions(undefined);
  const replayed = new Replay({ next, against: undefined, others, paths: POSIX, definitions, isSelected: () => true });
  replayed.add(readEvent(body), () => 'here');
  return replayed;
}

describe('a replay', () => {
  it('says nothing but what is true of the call as it was', () => {
    let told = 0;
    let doubted = 0;
    fc.assert(
      fc.property(call, policy, policy, fc.boolean(), (of, then, now, isDeciderKnown) => {
        const before = decideBy(then, of);
        const after = decideBy(now, of);
        const { tally, unreadable } = replay(now, isDeciderKnown ? [then] : [], record(of, before));
        expect([tally.calls, unreadable]).toEqual([1, 0]);
        doubted += tally.doubts;
        told += tally.same + tally.flips;
        if (tally.doubts > 0) return;
        expect(tally.groups().map(({ from, to }) => [from.action, to.action])).toEqual(
          before.action === after.action ? [] : [[before.action, after.action]],
        );
      }),
      { numRuns: runs(3000) },
    );
    // Neither is all of it told by a guess, nor nothing.
    expect(doubted).toBeGreaterThan(leastHits(20));
    expect(told).toBeGreaterThan(leastHits(doubted));
  });

  it('flips nothing under the very policy that decided, and has no doubts about it', () => {
    fc.assert(
      fc.property(call, policy, (of, then) => {
        const { tally } = replay(then, [], record(of, decideBy(then, of)));
        expect([tally.same, tally.flips, tally.doubts]).toEqual([1, 0, 0]);
      }),
      { numRuns: runs(1000) },
    );
  });
});
