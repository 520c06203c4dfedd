import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { NO_OWN_PATHS } from '../../../src/core/self/own-paths.ts';
import type { Answer, Approval } from '../../../src/gate/ports/approval-port.ts';
import type { GateSetup } from '../../../src/gate/ports/ports.ts';
import type { AuditRecord, CallRecord } from '../../../src/gate/ports/records.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import { type Outcome, Reviewer } from '../../../src/gate/calls/review.ts';
import { SessionView } from '../../../src/gate/session/session-view.ts';
import { MemoryRegistry, NO_IDENTITY } from '../../support/memory-registry.ts';
import { MemoryBuckets, MemorySessionLog, memoriesOf } from '../../support/memory-session-log.ts';
import { fixedPolicy } from '../../support/policy.ts';
import { createTestSink } from '../../support/sink.ts';

function setup(toml: string, resolved: string[], records: CallRecord[]): GateSetup {
  const parsed = parsePolicy(toml, { file: 'test.toml' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  let time = 0;
  return {
    server: 's',
    identity: () => NO_IDENTITY,
    own: () => NO_OWN_PATHS,
    isObserving: false,
    onError: 'deny',
    policy: fixedPolicy(compilePolicy(parsed.policy)),
    paths: { home: '/home/u', cwd: '/work', platform: 'posix', remote: false },
    ports: {
      clock: { now: () => 1, elapsed: () => (time += 10) },
      realPath: (path) => {
        resolved.push(path);
        return path;
      },
      approver: { ask: () => Promise.resolve('unavailable') },
      registry: new MemoryRegistry(),
      sessionLog: new MemorySessionLog(),
      buckets: new MemoryBuckets(),
      memories: memoriesOf(new MemorySessionLog()),
      followSession: () => undefined,
      sink: createTestSink({ record: (record) => records.push(record as AuditRecord<'call'>) }).sink,
      recordId: () => 'r',
      session: () => 'run',
      warn: () => {},
    },
  };
}

function parts(made: GateSetup, recorder: Recorder) {
  return { recorder, session: new SessionView(made), facts: () => undefined };
}

function createReviewer(made: GateSetup): Reviewer {
  const recorder = new Recorder(made.ports);
  recorder.open();
  return new Reviewer(made, parts(made, recorder));
}

const CALL = { method: 'tools/call', server: 's', tool: 'read', args: { path: 'a.txt' } } as const;

const NOT_WITHDRAWN = new AbortController().signal;

describe('Reviewer', () => {
  it('scans the disk only where a rule that concerns the call has paths', () => {
    const resolved: string[] = [];
    const reviewer = createReviewer(
      setup('[[rule]]\naction="allow"\ntool="read"\n[[rule]]\naction="deny"\ntool="w"\nargs.path="/etc/**"', resolved, []),
    );
    expect(reviewer.decide(CALL).action).toBe('allow');
    expect(resolved).toEqual([]);
    const withPaths = createReviewer(setup('[[rule]]\naction="allow"\ntool="read"\nargs.path="/work/**"', resolved, []));
    expect(withPaths.decide(CALL).action).toBe('allow');
    expect(resolved).toContain('/work/a.txt');
  });

  it('denies a call that names more paths than it looks up', () => {
    const resolved: string[] = [];
    const reviewer = createReviewer(
      setup('[[rule]]\naction="deny"\ntool="read"\nargs."**"="/etc/**"\n[defaults]\naction="allow"', resolved, []),
    );
    const paths = (count: number): string[] => Array.from({ length: count }, (_, i) => `/a/${i}`);
    expect(reviewer.decide({ ...CALL, args: { paths: paths(1000) } }).action).toBe('allow');
    resolved.length = 0;
    expect(reviewer.decide({ ...CALL, args: { paths: paths(5000) } })).toMatchObject({
      action: 'deny',
      reason: 'too_many_paths',
    });
    expect(resolved).toEqual([]);
  });

  it('names its records and measures from the start of the review', () => {
    const records: CallRecord[] = [];
    const reviewer = createReviewer(setup('', [], records));
    for (const requestId of ['1', '2']) {
      void reviewer.settle({ from: 'client', call: CALL, requestId, started: 0 }, reviewer.decide(CALL), NOT_WITHDRAWN);
    }
    expect(records.map(({ id, session, latency }) => ({ id, session, latency }))).toEqual([
      { id: 'r', session: 'run', latency: 10 },
      { id: 'r', session: 'run', latency: 20 },
    ]);
  });

  it('waits only where somebody is asked', () => {
    const reviewer = createReviewer(setup('[[rule]]\naction="prompt"\ntool="ask"', [], []));
    const review = { from: 'client', call: CALL, requestId: '1', started: 0 } as const;
    expect(reviewer.settle(review, reviewer.decide(CALL), NOT_WITHDRAWN)).not.toBeInstanceOf(Promise);
    const asking = reviewer.decide({ ...CALL, tool: 'ask' });
    expect(reviewer.settle(review, asking, NOT_WITHDRAWN)).toBeInstanceOf(Promise);
    expect(reviewer.settle(review, asking, AbortSignal.abort())).toMatchObject({ isForwarded: false, asked: 'withdrawn' });
  });
});

describe('Reviewer, after an answer', () => {
  const PROMPT = '[[rule]]\naction="prompt"\ntool="read"';

  async function answered(approval: Approval | Answer, later: string): Promise<{ outcome: Outcome; records: CallRecord[] }> {
    const records: CallRecord[] = [];
    const made = setup(PROMPT, [], records);
    const changing = { ...made, ports: { ...made.ports, approver: { ask: () => Promise.resolve(approval) } } };
    const recorder = new Recorder(changing.ports);
    recorder.open();
    const reviewer = new Reviewer(changing, parts(changing, recorder));
    const review = { from: 'client', call: CALL, requestId: '1', started: 0 } as const;
    const waiting = reviewer.settle(review, reviewer.decide(CALL), NOT_WITHDRAWN);
    recorder.close();
    changing.policy = setup(later, [], []).policy;
    return { outcome: await waiting, records };
  }

  it('forwards what was granted, and records who granted it', async () => {
    const answer = { approval: 'granted', id: 'K7Q2MX', by: 'ann on /dev/pts/1', remember: 'once' } as const;
    const { outcome, records } = await answered(answer, PROMPT);
    expect(outcome).toMatchObject({ isForwarded: true, asked: 'granted', question: 'K7Q2MX' });
    expect(records).toMatchObject([{ reason: 'rule', asked: 'granted', answer }]);
  });

  it.each([
    ['granted', '[[rule]]\naction="deny"\ntool="read"', false, 'rule'],
    ['granted', '', false, 'default'],
    ['granted', '[defaults]\naction="prompt"', true, 'default'],
    ['granted', '[[rule]]\naction="allow"\ntool="read"', true, 'rule'],
    ['expired', '[[rule]]\naction="allow"\ntool="read"', true, 'rule'],
    ['expired', PROMPT, false, 'approval_expired'],
    ['refused', '[[rule]]\naction="allow"\ntool="read"', false, 'approval_refused'],
    ['unavailable', PROMPT, false, 'approval_unavailable'],
    ['flood', PROMPT, false, 'approval_flood'],
  ] as const)('%s, and the policy is %j by now', async (approval, later, isForwarded, reason) => {
    const { outcome, records } = await answered(approval, later);
    expect(outcome.isForwarded).toBe(isForwarded);
    expect(records).toMatchObject([{ reason }]);
  });
});

describe('Reviewer, where another rule asks after the answer', () => {
  const POLICY =
    '[[rule]]\nid="system"\naction="prompt"\ntool="read"\nargs.path="/etc/**"\n[[rule]]\nid="reading"\naction="prompt"\ntool="read"';

  /** A link leads into the project when the call is made, and elsewhere from the nth look on. */
  async function swapped(
    answers: readonly Approval[],
    later: readonly string[],
  ): Promise<{ outcome: Outcome; askedBy: unknown[] }> {
    const askedBy: unknown[] = [];
    const places = ['/work/x', ...later];
    const made = setup(POLICY, [], []);
    const ports: GateSetup['ports'] = {
      ...made.ports,
      realPath: (path) => (path === '/work/link' ? (places[Math.min(askedBy.length, places.length - 1)] ?? path) : path),
      approver: {
        ask: (_call, { rule }) => {
          askedBy.push(rule?.id);
          return Promise.resolve(answers[askedBy.length - 1] ?? 'expired');
        },
      },
    };
    const recorder = new Recorder(ports);
    recorder.open();
    const reviewer = new Reviewer({ ...made, ports }, parts({ ...made, ports }, recorder));
    const review = { from: 'client', call: { ...CALL, args: { path: 'link' } }, requestId: '1', started: 0 } as const;
    const waiting = reviewer.settle(review, reviewer.decide(review.call), NOT_WITHDRAWN);
    recorder.close();
    return { outcome: await waiting, askedBy };
  }

  it('hazard 9: a yes to one rule is none to another, so it is asked for too', async () => {
    const no = await swapped(['granted', 'refused'], ['/etc/shadow']);
    expect(no).toMatchObject({ askedBy: ['reading', 'system'], outcome: { isForwarded: false, asked: 'refused' } });
    const none = await swapped(['granted'], ['/etc/shadow']);
    expect(none).toMatchObject({ askedBy: ['reading', 'system'], outcome: { isForwarded: false, asked: 'expired' } });
    const yes = await swapped(['granted', 'granted'], ['/etc/shadow']);
    expect(yes).toMatchObject({ askedBy: ['reading', 'system'], outcome: { isForwarded: true, asked: 'granted' } });
  });

  it('does not ask for ever', async () => {
    const { outcome, askedBy } = await swapped(
      ['granted', 'granted', 'granted', 'granted'],
      ['/etc/a', '/work/b', '/etc/c', '/work/d'],
    );
    expect(askedBy).toEqual(['reading', 'system', 'reading']);
    expect(outcome).toMatchObject({ isForwarded: false, asked: 'unavailable' });
  });

  it('asks once where the same rule asks again', async () => {
    const { outcome, askedBy } = await swapped(['granted'], ['/work/y']);
    expect(askedBy).toEqual(['reading']);
    expect(outcome.isForwarded).toBe(true);
  });
});

describe('what a call costs while a person is asked', () => {
  const LIMITED = `[[rule]]
action = "prompt"
tool = "*"
[rate_limits]
enabled = true
[rate_limits.server.s]
rpm = 60
burst = 1
`;

  it.each([
    ['granted', false],
    ['refused', true],
    ['expired', true],
  ] as const)('%s: given back: %s', async (approval, isGivenBack) => {
    const made = setup(LIMITED, [], []);
    const buckets = new MemoryBuckets();
    const asking = { ...made, ports: { ...made.ports, buckets, approver: { ask: () => Promise.resolve(approval) } } };
    const recorder = new Recorder(asking.ports);
    recorder.open();
    const reviewer = new Reviewer(asking, parts(asking, recorder));
    const review = { from: 'client', call: CALL, requestId: '1', started: 0 } as const;
    const waiting = reviewer.settle(review, reviewer.decide(CALL), NOT_WITHDRAWN);
    // Nobody else gets it meanwhile.
    expect(reviewer.decide(CALL)).toMatchObject({ action: 'deny', reason: 'rate_limit' });
    recorder.close();
    expect(await waiting).toMatchObject({ isForwarded: approval === 'granted' });
    recorder.open();
    expect(reviewer.decide(CALL).action).toBe(isGivenBack ? 'prompt' : 'deny');
    recorder.close();
  });
});
