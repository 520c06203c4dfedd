import { type CompiledPolicy, compilePolicy } from '../../src/core/match/compile.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import { compileRegex } from '../../src/core/patterns/regex.ts';
import { NO_OWN_PATHS } from '../../src/core/self/own-paths.ts';
import type { Judgement } from '../../src/gate/fail-closed.ts';
import type { Verdict } from '../../src/gate/verdict.ts';
import { Interceptor } from '../../src/gate/interceptor.ts';
import type { GateSetup, Ports } from '../../src/gate/ports/ports.ts';
import type { CallRecord, RefusalRecord } from '../../src/gate/ports/records.ts';
import { MemoryRegistry, NO_IDENTITY } from './memory-registry.ts';
import { MemoryBuckets, memoriesOf, MemorySessionLog } from './memory-session-log.ts';
import { fixedPolicy } from './policy.ts';
import { createTestSink } from './sink.ts';

/** An interceptor under a policy in TOML, and what it recorded and warned of. */
export interface TestGate {
  readonly gate: Interceptor;
  readonly records: CallRecord[];
  /** What was refused so far; it is written by the way. */
  refusals(): Promise<readonly RefusalRecord[]>;
  readonly warnings: string[];
  /** Hands it a line from the client; replies come back parsed. */
  client(line: string | Buffer): Promise<Readable>;
  /** Hands it a line from the server. */
  server(line: string | Buffer): Promise<Readable>;
}

/** By their TOML: connections share a policy and its detector, and some tests make thousands of them. */
const policies = new Map<string, CompiledPolicy>();
/** Made-up policies are as many as a property has tries. */
const MOST_POLICIES = 100;

function compiled(toml: string): CompiledPolicy {
  const known = policies.get(toml);
  if (known !== undefined) return known;
  const parsed = parsePolicy(toml, { file: 'test.toml', regex: compileRegex });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  const policy = compilePolicy(parsed.policy);
  if (policies.size === MOST_POLICIES) policies.clear();
  policies.set(toml, policy);
  return policy;
}

/** A connection to a server named `files` under a policy in TOML, with nobody who is told of anything, but for what is given. */
export function testSetup(toml: string, ports: Partial<Ports> = {}, others: Partial<GateSetup> = {}): GateSetup {
  let lastRecord = 0;
  const { sessionLog = new MemorySessionLog() } = ports;
  return {
    server: 'files',
    policy: fixedPolicy(compiled(toml)),
    identity: () => NO_IDENTITY,
    own: () => NO_OWN_PATHS,
    isObserving: false,
    onError: 'deny',
    paths: { home: '/home/u', cwd: '/home/u/project', platform: 'posix', remote: false },
    ...others,
    ports: {
      clock: { now: () => 1000, elapsed: () => 5 },
      realPath: (path) => path,
      approver: { ask: () => Promise.resolve('unavailable') },
      sink: createTestSink().sink,
      registry: new MemoryRegistry(),
      sessionLog,
      buckets: new MemoryBuckets(),
      memories: memoriesOf(sessionLog),
      followSession: () => undefined,
      recordId: () => `s.${++lastRecord}`,
      session: () => 's',
      warn: () => {},
      ...ports,
    },
  };
}

export function createTestGate(
  toml: string,
  ports: Partial<Ports> = {},
  isObserving = false,
  onError: GateSetup['onError'] = 'deny',
  others: Partial<GateSetup> = {},
): TestGate {
  const { sink, calls: records, refusals } = createTestSink();
  const warnings: string[] = [];
  const recorded = { sink, warn: (line: string): unknown => warnings.push(line), ...ports };
  const gate = new Interceptor(testSetup(toml, recorded, { isObserving, onError, ...others }));
  return {
    gate,
    records,
    async refusals() {
      await gate.finish();
      return refusals;
    },
    warnings,
    async client(line) {
      const bytes = Buffer.from(line);
      const verdict = settled(gate, gate.fromClient(bytes, 0, bytes.length));
      // The relay uses the memory again for another line.
      bytes.fill(0x20);
      return readable(await verdict);
    },
    async server(line) {
      const bytes = Buffer.from(line);
      const verdict = settled(gate, gate.fromServer(bytes, 0, bytes.length));
      bytes.fill(0x20);
      return readable(await verdict);
    },
  };
}

/** Ends the chunk that a line was, as a relay does. */
export function settled(gate: Interceptor, judgement: Judgement): Verdict | Promise<Verdict> {
  const isOnRecord = gate.commit();
  if (judgement instanceof Promise || judgement.kind !== 'recorded') return judgement;
  return isOnRecord ? judgement.verdict : judgement.otherwise();
}

/** `forward`, `drop`, `busy`, a reply's message, or what goes on and back instead. */
export type Readable = 'forward' | 'drop' | 'busy' | Record<string, unknown>;

function readable(verdict: Verdict): Readable {
  if (verdict.kind === 'replace') return { onward: messagesOf(verdict.line), back: messagesOf(verdict.reply ?? '') };
  if (verdict.kind !== 'reply') return verdict.kind;
  const [message, ...others] = messagesOf(verdict.line);
  if (others.length > 0) throw new Error('a reply is one line');
  return message as Record<string, unknown>;
}

function messagesOf(lines: string): unknown[] {
  if (lines !== '' && !lines.endsWith('\n')) throw new Error('lines end with a line feed');
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** A `tools/call` request as a line. */
export function toolCall(name: string, args?: unknown, more: { id?: unknown; meta?: unknown } = {}): string {
  const { id = 1, meta } = more;
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta: meta } });
}
