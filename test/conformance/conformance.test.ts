/** @module-tag long */
// The suites of the MCP project, run against servers directly and through clawai: every check comes out the same. Not every
// check passes either way: the everything server lacks what most scenarios ask for, and the bridge validates no headers.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox, serverPackage } from '../support/sandbox.ts';
import { POLICY } from './suite-policy.ts';
import { differingRows, format, runSuite, type SUITES } from './suites.ts';

const SUBJECTS = {
  everything: [process.execPath, serverPackage('everything'), 'stdio'],
  fixture: [process.execPath, join(import.meta.dirname, 'dual-era-fixture.mjs')],
} as const satisfies Record<string, readonly [string, ...string[]]>;

interface Run {
  readonly suite: keyof typeof SUITES;
  readonly subject: keyof typeof SUBJECTS;
  /** So many checks pass at least, or there was nothing to compare. */
  readonly passing: number;
  /** So many calls are in the audit at least, or clawai was not in between. */
  readonly calls: number;
  /** It takes a minute, and tries less than the other server's: for `npm run conformance` alone. */
  readonly isLong?: true;
}

const ALL_RUNS: readonly Run[] = [
  { suite: 'released', subject: 'everything', passing: 13, calls: 10, isLong: true },
  { suite: 'released', subject: 'fixture', passing: 39, calls: 15 },
  { suite: '2025-11-25', subject: 'everything', passing: 45, calls: 10, isLong: true },
  { suite: '2025-11-25', subject: 'fixture', passing: 78, calls: 15 },
  { suite: '2026-07-28', subject: 'everything', passing: 30, calls: 10 },
  { suite: '2026-07-28', subject: 'fixture', passing: 135, calls: 30 },
];

const RUNS = ALL_RUNS.filter(({ isLong }) => isLong !== true || process.env['MODE'] === 'long');

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

describe('the conformance suite sees the same with and without clawai', () => {
  it.each(RUNS)('$suite, $subject server', { timeout: 300_000 }, async ({ suite, subject, passing, calls }) => {
    const server: readonly [string, ...string[]] = SUBJECTS[subject];
    const policy = sandbox.write('policy.toml', POLICY);
    const guarded = sandbox.command('proxy', '--server', subject, '--policy', policy, '--', ...server);
    const peer = { env: sandbox.env, cwd: sandbox.folder };
    const runDirect = (attempt: number) => runSuite(suite, { ...peer, command: server }, sandbox.path(`direct-${attempt}`));
    const runThrough = (attempt: number) => runSuite(suite, { ...peer, command: guarded }, sandbox.path(`through-${attempt}`));

    let [direct, through] = await Promise.all([runDirect(1), runThrough(1)]);
    if (differingRows(direct, through).length > 0) {
      // Some scenarios have deadlines that a busy machine misses: what differs must do so again, with the machine for itself.
      console.warn(`once more, since this differed: ${differingRows(direct, through).map(format).join('; ')}`);
      direct = await runDirect(2);
      through = await runThrough(2);
    }

    expect(through.map(format)).toEqual(direct.map(format));
    expect(direct.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(passing);
    expect(sandbox.decided().length).toBeGreaterThanOrEqual(calls);
  });
});
