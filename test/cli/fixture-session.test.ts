import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateFixtures } from '../../src/cli/evaluate-fixtures.ts';
import { parseFixtures } from '../../src/cli/fixture.ts';
import type { Fixture } from '../../src/cli/fixture-case.ts';
import { ValueProvenance } from '../../src/gate/value-provenance.ts';
import { flowOf } from '../../src/cli/test-report.ts';
import type { Decision } from '../../src/core/decision.ts';
import { FLOW_RULES } from '../../src/core/flow/finding.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import { createTestGate, type TestGate } from '../support/gate.ts';
import { MemoryRegistry, NO_IDENTITY } from '../support/memory-registry.ts';
import { MemoryBuckets, memoriesOf, MemorySessionLog } from '../support/memory-session-log.ts';
import { defined } from '../support/registered.ts';
import { ROOT } from '../support/run-cli.ts';

const PATHS = { home: '/home/user', cwd: '/home/user/project', platform: 'posix', remote: false } as const;
const POLICIES = ['default', 'strict', 'read-only', 'observe'];

interface Session {
  readonly name: string;
  readonly steps: readonly Fixture[];
}

/** The sessions that a shipped policy's fixtures tell, but for those with calls that are taken back: only a broken pipe does that. */
async function sessionsOf(policy: string): Promise<readonly Session[]> {
  const folder = join(ROOT, 'fixtures', policy === 'default' ? '' : policy);
  const files = (await readdir(folder)).filter((file) => /^flow-.*\.json$/.test(file));
  const texts = await Promise.all(files.map(async (file) => parseFixtures(await readFile(join(folder, file), 'utf8'), file)));
  const sessions = Map.groupBy(texts.flat(), ({ step }) => step?.session);
  return [...sessions.values()]
    .filter((steps) => steps.every(({ step }) => step?.isRetracted === false))
    .map((steps) => ({ name: steps[0]?.name ?? '', steps }));
}

function outcome({ action, reason, rule, ...decision }: Decision): string {
  return [action, rule?.id ?? reason, ...flowOf({ action, reason, ...decision })].join(' ');
}

/** Sends the steps through the gate, as processes with a server each do whose session is one. */
async function throughGates(toml: string, steps: readonly Fixture[]): Promise<readonly string[]> {
  let now = 0;
  let isApproved = false;
  const sessionLog = new MemorySessionLog();
  const registry = new MemoryRegistry();
  const tools = [
    ...[...(steps[0]?.step?.session.tools ?? [])].flatMap(([server, names]) => names.map((name) => ({ server, name }))),
    ...steps.map(({ call: { server, tool } }) => ({ server, name: tool })),
  ];
  for (const { server, name } of tools) {
    sessionLog.addServer('s', server);
    registry.writeServer(server, NO_IDENTITY, { isPinned: true });
    if (name === undefined) continue;
    const seen = defined(name, 'does what its name says');
    registry.write(server, [{ kind: 'tool', name, seen, isPinned: true, isListed: true }]);
  }
  for (const server of steps[0]?.context?.servers ?? []) sessionLog.addServer('s', server);
  let record = 0;
  const shared = {
    sessionLog,
    registry,
    buckets: new MemoryBuckets(),
    clock: { now: () => now, elapsed: () => 0 },
    approver: { ask: () => Promise.resolve(isApproved ? ('granted' as const) : ('refused' as const)) },
    recordId: () => `r.${++record}`,
  };
  const gates = new Map<string, TestGate>();
  const outcomes: string[] = [];
  for (const { call, step } of steps) {
    const gate = gates.get(call.server) ?? createGate(toml, call.server, shared);
    gates.set(call.server, gate);
    now = Date.UTC(2026, 0, 1) + (step?.at ?? 0);
    isApproved = step?.isApproved ?? false;
    const meta = step?.turn === undefined ? undefined : { 'x-codex-turn-metadata': JSON.stringify({ turn_id: step.turn }) };
    const params =
      call.tool === undefined ? { uri: call.resource, _meta: meta } : { name: call.tool, arguments: call.args, _meta: meta };
    const before = gate.records.length;
    const line = JSON.stringify({ jsonrpc: '2.0', id: outcomes.length, method: call.method, params });
    // The first call waits for what looks at definitions.
    while ((await gate.client(line)) === 'busy') await gate.gate.ready();
    const decisions = gate.records.slice(before).map(({ decision }) => outcome(decision));
    outcomes.push(decisions.join(', '));
  }
  await Promise.all([...gates.values()].map(async ({ gate }) => gate.finish()));
  return outcomes;
}

function createGate(
  toml: string,
  server: string,
  shared: Parameters<typeof createTestGate>[1] & { readonly sessionLog: MemorySessionLog },
): TestGate {
  const sessionLog = shared.sessionLog.ofAnother();
  const memories = memoriesOf(sessionLog, { provenance: new ValueProvenance(() => new Uint8Array(32)) });
  return createTestGate(toml, { ...shared, sessionLog, memories }, false, 'deny', { server, paths: PATHS });
}

describe.each(POLICIES)('%s.toml: what fixtures tell is what the gate does', (name) => {
  it('in every session', async () => {
    const toml = await readFile(join(ROOT, 'policies', `${name}.toml`), 'utf8');
    const parsed = parsePolicy(toml, { file: 'p.toml' });
    if (!parsed.ok) throw new Error('the policy is broken');
    const sessions = await sessionsOf(name);
    expect(sessions.length).toBeGreaterThan(15);
    const found = new Set<string>();
    for (const session of sessions) {
      const told = evaluateFixtures(parsed.policy, session.steps).results.map(({ decision }) => outcome(decision));
      expect({ name: session.name, outcomes: await throughGates(toml, session.steps) }).toEqual({
        name: session.name,
        outcomes: told,
      });
      for (const rule of FLOW_RULES) if (told.some((each) => each.includes(rule))) found.add(rule);
    }
    expect([...found].toSorted()).toEqual(FLOW_RULES.toSorted());
  });
});
