import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../src/core/policy/compile.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import type { CallRecord, GateSetup } from '../../src/gate/ports.ts';
import { Reviewer } from '../../src/gate/review.ts';

function setup(toml: string, resolved: string[], records: CallRecord[]): GateSetup {
  const parsed = parsePolicy(toml, { file: 'test.toml' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  let time = 0;
  return {
    server: 's',
    isObserving: false,
    policy: compilePolicy(parsed.policy),
    paths: { home: '/home/u', cwd: '/work', platform: 'posix', remote: false },
    ports: {
      clock: { now: () => 1, elapsed: () => (time += 10) },
      realPath: (path) => {
        resolved.push(path);
        return path;
      },
      approver: { ask: () => Promise.resolve('unavailable') },
      sink: { recordCall: (record) => records.push(record), recordRefusal: () => {}, recordSummary: () => {} },
      session: () => 'run',
      warn: () => {},
    },
  };
}

const CALL = { method: 'tools/call', server: 's', tool: 'read', args: { path: 'a.txt' } } as const;

const NOT_WITHDRAWN = new AbortController().signal;

describe('Reviewer', () => {
  it('looks at the disk only where a rule that concerns the call has paths', () => {
    const resolved: string[] = [];
    const reviewer = new Reviewer(
      setup('[[rule]]\naction="allow"\ntool="read"\n[[rule]]\naction="deny"\ntool="w"\nargs.path="/etc/**"', resolved, []),
    );
    expect(reviewer.decide(CALL).action).toBe('allow');
    expect(resolved).toEqual([]);
    const withPaths = new Reviewer(setup('[[rule]]\naction="allow"\ntool="read"\nargs.path="/work/**"', resolved, []));
    expect(withPaths.decide(CALL).action).toBe('allow');
    expect(resolved).toContain('/work/a.txt');
  });

  it('denies a call that names more paths than it looks up', () => {
    const resolved: string[] = [];
    const reviewer = new Reviewer(
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

  it('numbers its records and measures from the start of the review', () => {
    const records: CallRecord[] = [];
    const reviewer = new Reviewer(setup('', [], records));
    for (const requestId of ['1', '2']) {
      void reviewer.settle({ from: 'client', call: CALL, requestId, started: 0 }, reviewer.decide(CALL), NOT_WITHDRAWN);
    }
    expect(records.map(({ id, latency }) => ({ id, latency }))).toEqual([
      { id: 'run.1', latency: 10 },
      { id: 'run.2', latency: 20 },
    ]);
  });

  it('waits only where somebody is asked', () => {
    const reviewer = new Reviewer(setup('[[rule]]\naction="prompt"\ntool="ask"', [], []));
    const review = { from: 'client', call: CALL, requestId: '1', started: 0 } as const;
    expect(reviewer.settle(review, reviewer.decide(CALL), NOT_WITHDRAWN)).not.toBeInstanceOf(Promise);
    const asking = reviewer.decide({ ...CALL, tool: 'ask' });
    expect(reviewer.settle(review, asking, NOT_WITHDRAWN)).toBeInstanceOf(Promise);
    expect(reviewer.settle(review, asking, AbortSignal.abort())).toMatchObject({ isForwarded: false, asked: 'withdrawn' });
  });
});
