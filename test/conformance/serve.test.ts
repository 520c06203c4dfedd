/** @module-tag long */
// The suites of the MCP project, run against servers that speak HTTP, directly and through clawai serve: every check comes out the same.
// Not every check passes either way: the everything server lacks what most scenarios ask for.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, startEverything, startFixture } from '../support/http-server.ts';
import { Sandbox } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';
import { POLICY } from './suite-policy.ts';
import { type Check, differingRows, format, runSuiteAt, type SUITES } from './suites.ts';

const SUBJECTS = {
  everything: startEverything,
  fixture: startFixture,
} as const satisfies Record<string, (sandbox: Sandbox) => Promise<HttpServer>>;

/** What a server must do about pages of other origins, and about headers that say something else than the body: clawai does it also for those that don't. */
const DONE_BY_US: readonly string[] = [
  'localhost-host-rebinding-rejected',
  'sep-2575-http-server-header-mismatch-400',
  'tasks-headers-reject-mismatched-method',
];

interface Run {
  readonly suite: keyof typeof SUITES;
  readonly subject: keyof typeof SUBJECTS;
  /** So many checks pass at least, or there was nothing to compare. */
  readonly passing: number;
  /** So many calls are in the audit at least, or clawai was not in between. */
  readonly calls: number;
}

const RUNS: readonly Run[] = [
  { suite: 'released', subject: 'everything', passing: 13, calls: 10 },
  { suite: 'released', subject: 'fixture', passing: 39, calls: 15 },
  { suite: '2025-11-25', subject: 'everything', passing: 45, calls: 10 },
  { suite: '2025-11-25', subject: 'fixture', passing: 78, calls: 15 },
  // It does not speak that era: its refusals are compared.
  { suite: '2026-07-28', subject: 'everything', passing: 10, calls: 0 },
  { suite: '2026-07-28', subject: 'fixture', passing: 135, calls: 30 },
];

let sandbox: Sandbox;
let server: HttpServer | undefined;
let serving: Serving | undefined;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(async () => {
  await serving?.stop();
  await server?.stop();
  serving = undefined;
  server = undefined;
  sandbox.remove();
});

describe('the conformance suite sees the same with and without clawai serve', () => {
  it.each(RUNS)('$suite, $subject server', { timeout: 300_000 }, async ({ suite, subject, passing, calls }) => {
    server = await SUBJECTS[subject](sandbox);
    serving = await Serving.start(sandbox, { servers: { [subject]: server.url }, policy: POLICY });
    const peer = { env: sandbox.env, cwd: sandbox.folder };
    const urls = { direct: server.url, through: serving.localhostUrl(subject) };
    const run = (way: keyof typeof urls, attempt: number): Promise<Check[]> =>
      runSuiteAt(suite, { ...peer, url: urls[way] }, sandbox.path(`${way}-${attempt}`));

    let [direct, through] = await Promise.all([run('direct', 1), run('through', 1)]);
    if (differingRows(comparable(direct), comparable(through)).length > 0) {
      // Some scenarios have deadlines that a busy machine misses: what differs must do so again, with the machine for itself.
      console.warn(`once more, since this differed: ${differingRows(direct, through).map(format).join('; ')}`);
      direct = await run('direct', 2);
      through = await run('through', 2);
    }

    expect(comparable(through).map(format)).toEqual(comparable(direct).map(format));
    expect(direct.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(passing);
    const ours = through.filter(isDoneByUs);
    expect(ours.map(format)).toEqual(ours.map((check) => format({ ...check, status: 'SUCCESS', message: '' })));
    expect(ours.length).toBe(direct.filter(isDoneByUs).length);
    expect(sandbox.decided().length).toBeGreaterThanOrEqual(calls);
  });
});

function isDoneByUs({ id }: Check): boolean {
  return DONE_BY_US.includes(id);
}

/** A message that says the same of each of several responses says it once: of some, clawai's own come in the server's place. */
function comparable(checks: readonly Check[]): Check[] {
  return checks
    .filter((check) => !isDoneByUs(check))
    .map((check) => ({ ...check, message: [...new Set(check.message.split('\n'))].join('\n') }));
}
