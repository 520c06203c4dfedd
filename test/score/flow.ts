import { classify } from '../../src/core/classify/classify.ts';
import { FLOW_RULES, type FlowRuleName } from '../../src/core/finding.ts';
import { findFlows } from '../../src/core/flow/find-flows.ts';
import { PastCalls } from '../../src/core/flow/past-calls.ts';
import type { Flow } from '../../src/core/policy/parse-flow.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import type { CorpusRow } from './corpus.ts';
import { readSequence, type Sequence, shadowKey } from './sequence.ts';

/** What the sequences are run under: every rule alerts. */
const SETTINGS: Readonly<Record<string, string>> = {
  defaults: '[flow]\nshadow_tool = { action = "alert" }',
  'any turn': '[flow]\nshadow_tool = { action = "alert" }\ncross_server_flow = { same_turn_only = false }',
};

/** The rows of one technique. */
export interface FlowScore {
  readonly technique: string;
  readonly isMalicious: boolean;
  readonly rows: number;
  /** Rows in which anything was found, by setting; and in which each rule found something. */
  readonly found: Readonly<Record<string, { readonly rows: number; readonly rules: ReadonlyMap<FlowRuleName, number> }>>;
}

/** Runs all sequences of a corpus through the rules, under each setting. A row counts once, however often something is found in it. */
export function scoreFlow(rows: readonly CorpusRow[]): readonly FlowScore[] {
  const sequences = rows.filter(({ kind }) => kind === 'call_sequence').map(readSequence);
  const flows = Object.entries(SETTINGS).map(([name, text]) => [name, flowOf(text)] as const);
  const groups = Map.groupBy(sequences, ({ technique, isMalicious }) => JSON.stringify([isMalicious, technique]));
  return [...groups.values()].map((group) => ({
    technique: group[0]?.technique ?? '',
    isMalicious: group[0]?.isMalicious === true,
    rows: group.length,
    found: Object.fromEntries(flows.map(([name, flow]) => [name, count(group.map((sequence) => rulesIn(sequence, flow)))])),
  }));
}

export function formatFlowScore(scores: readonly FlowScore[]): string {
  const names = Object.keys(SETTINGS);
  const lines = [true, false].flatMap((isMalicious) => {
    const part = scores.filter((score) => score.isMalicious === isMalicious);
    const heads = names.map((name) => `${isMalicious ? 'detected' : 'flagged'}, ${name}`);
    return [
      [isMalicious ? 'malicious' : 'benign', 'rows', ...heads.flatMap((head) => [head, 'by'])],
      ...part.map((score) => [score.technique, String(score.rows), ...names.flatMap((name) => toCells(score, name))]),
    ];
  });
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toCells({ found }: FlowScore, name: string): readonly string[] {
  const { rows = 0, rules = new Map<FlowRuleName, number>() } = found[name] ?? {};
  const by = FLOW_RULES.flatMap((rule) => (rules.has(rule) ? [`${rule} ${rules.get(rule)}`] : []));
  return [String(rows), by.join(', ') || '-'];
}

function count(found: readonly ReadonlySet<FlowRuleName>[]): FlowScore['found'][string] {
  const rules = new Map<FlowRuleName, number>();
  for (const each of found) for (const rule of each) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  return { rows: found.filter(({ size }) => size > 0).length, rules };
}

/** What is found anywhere in a sequence. All its calls go on, in a session in which there is one more server that does nothing. */
function rulesIn({ calls, shadows }: Sequence, flow: Flow): ReadonlySet<FlowRuleName> {
  const found = new Set<FlowRuleName>();
  const past = new PastCalls();
  for (const [index, { time, turn, server, tool }] of calls.entries()) {
    const categories = classify({ name: tool, isPinned: false });
    const now = past.nowFrom(time);
    const session = {
      now,
      calls: past.list(now),
      turn,
      servers: new Set(calls.slice(0, index + 1).map((call) => call.server)).size + 1,
      shadowed: shadows.get(shadowKey(server, tool)),
      evidence: () => [],
    };
    const call = { method: 'tools/call', server, tool };
    for (const { rule } of findFlows(call, { categories: () => categories, session, flow })) found.add(rule);
    past.add({ id: String(index), time: now, server, method: call.method, subject: tool, categories, turn, isForwarded: true });
  }
  return found;
}

function flowOf(text: string): Flow {
  const result = parsePolicy(text, { file: 'score.toml' });
  if (!result.ok) throw new Error(`a setting is faulty: ${JSON.stringify(result)}`);
  return result.policy.flow;
}
