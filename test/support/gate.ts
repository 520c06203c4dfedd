import { compilePolicy } from '../../src/core/policy/compile.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import { compileRegex } from '../../src/core/policy/regex.ts';
import { Interceptor } from '../../src/gate/interceptor.ts';
import type { CallRecord, GateSetup, Ports } from '../../src/gate/ports.ts';
import type { Verdict } from '../../src/gate/verdict.ts';

/** An interceptor under a policy in TOML, and what it recorded and warned of. */
export interface TestGate {
  readonly gate: Interceptor;
  readonly records: CallRecord[];
  readonly warnings: string[];
  /** Hands it a line from the client; replies come back parsed. */
  client(line: string | Buffer): Promise<'forward' | 'drop' | Record<string, unknown>>;
}

export function createTestGate(toml: string, ports: Partial<Ports> = {}): TestGate {
  const parsed = parsePolicy(toml, { file: 'test.toml', regex: compileRegex });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  const records: CallRecord[] = [];
  const warnings: string[] = [];
  const setup: GateSetup = {
    server: 'files',
    policy: compilePolicy(parsed.policy),
    paths: { home: '/home/u', cwd: '/home/u/project', platform: 'posix', remote: false },
    ports: {
      clock: { now: () => 1000, elapsed: () => 5 },
      realPath: (path) => path,
      approver: { ask: () => Promise.resolve('unavailable') },
      sink: { recordCall: (record) => records.push(record), recordSummary: () => {} },
      session: () => 's',
      warn: (line) => warnings.push(line),
      ...ports,
    },
  };
  const gate = new Interceptor(setup);
  return {
    gate,
    records,
    warnings,
    async client(line) {
      const bytes = Buffer.from(line);
      return readable(await gate.fromClient(bytes, 0, bytes.length));
    },
  };
}

function readable(verdict: Verdict): 'forward' | 'drop' | Record<string, unknown> {
  if (verdict.kind !== 'reply') return verdict.kind;
  if (!verdict.line.endsWith('\n') || verdict.line.indexOf('\n') !== verdict.line.length - 1)
    throw new Error('a reply is one line');
  return JSON.parse(verdict.line) as Record<string, unknown>;
}

/** A `tools/call` request as a line. */
export function toolCall(name: string, args?: unknown, more: { id?: unknown; meta?: unknown } = {}): string {
  const { id = 1, meta } = more;
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta: meta } });
}
