import { LONGEST_WINDOW, MOST_CALLS } from '../facts.ts';
import { FLOW_ACTIONS, FLOW_RULES, type FlowAction, type FlowRuleName } from '../finding.ts';
import { formatDuration, parseDuration } from '../quantity.ts';
import { checkKeys, complain, complainOfType, type Complaints, type Place, readFlag, readWord } from './complaints.ts';
import { describeToml, isTomlTable, type TomlValue } from './toml.ts';
import type { EvidenceKind, Flow } from './types.ts';

const WINDOW = 30_000;

/** Milliseconds. A shorter one would be over before a model has read an answer. */
const WINDOWS = { least: 1000, most: LONGEST_WINDOW } as const;

/** One more call must be among those that are looked back at. */
const MAX_CALLS = { least: 1, most: MOST_CALLS - 1 } as const;

export const EVIDENCE: readonly EvidenceKind[] = ['category', 'value'];

/** A policy without the table. */
export const DEFAULT_FLOW: Flow = {
  enabled: true,
  readThenSend: { enabled: true, action: 'alert', window: WINDOW, evidence: 'category' },
  crossServerFlow: { enabled: true, action: 'alert', window: WINDOW, sameTurnOnly: true, evidence: 'category' },
  burst: { enabled: true, action: 'alert', maxCalls: 10, window: 5000 },
  shadowTool: { enabled: true, action: 'deny' },
};

/**
 * Reads `[flow]`: what becomes of calls that are harmless one by one and harmful together. Every rule is on unless it says otherwise.
 * The table's `action` is that of each rule that has none of its own, but for `shadow_tool`, which is certain enough to deny.
 */
export function parseFlow(value: TomlValue | undefined, to: Complaints): Flow {
  if (value === undefined) return DEFAULT_FLOW;
  if (!isTomlTable(value)) {
    complainOfType(to, ['flow'], value, 'a table');
    return DEFAULT_FLOW;
  }
  checkKeys(to, ['flow'], value, { read: ['enabled', 'action', ...FLOW_RULES], unenforced: [], where: '[flow]' });
  const flow: Place = { table: value, path: ['flow'], to };
  const action = readAction(flow) ?? 'alert';
  return {
    enabled: readFlag(flow, 'enabled') ?? DEFAULT_FLOW.enabled,
    readThenSend: parseReadThenSend(flow, action),
    crossServerFlow: parseCrossServerFlow(flow, action),
    burst: parseBurst(flow, action),
    shadowTool: parseShadowTool(flow),
  };
}

function parseReadThenSend(flow: Place, action: FlowAction): Flow['readThenSend'] {
  const rule = ruleOf(flow, 'read_then_send', ['window', 'evidence']);
  const usual = DEFAULT_FLOW.readThenSend;
  return {
    enabled: readFlag(rule, 'enabled') ?? usual.enabled,
    action: readAction(rule) ?? action,
    window: readWindow(rule) ?? usual.window,
    evidence: readEvidence(rule) ?? usual.evidence,
  };
}

function parseCrossServerFlow(flow: Place, action: FlowAction): Flow['crossServerFlow'] {
  const rule = ruleOf(flow, 'cross_server_flow', ['window', 'same_turn_only', 'evidence']);
  const usual = DEFAULT_FLOW.crossServerFlow;
  return {
    enabled: readFlag(rule, 'enabled') ?? usual.enabled,
    action: readAction(rule) ?? action,
    window: readWindow(rule) ?? usual.window,
    sameTurnOnly: readFlag(rule, 'same_turn_only') ?? usual.sameTurnOnly,
    evidence: readEvidence(rule) ?? usual.evidence,
  };
}

function parseBurst(flow: Place, action: FlowAction): Flow['burst'] {
  const rule = ruleOf(flow, 'burst', ['max_calls', 'window']);
  const usual = DEFAULT_FLOW.burst;
  return {
    enabled: readFlag(rule, 'enabled') ?? usual.enabled,
    action: readAction(rule) ?? action,
    maxCalls: readMaxCalls(rule) ?? usual.maxCalls,
    window: readWindow(rule) ?? usual.window,
  };
}

function parseShadowTool(flow: Place): Flow['shadowTool'] {
  const rule = ruleOf(flow, 'shadow_tool', []);
  const usual = DEFAULT_FLOW.shadowTool;
  return { enabled: readFlag(rule, 'enabled') ?? usual.enabled, action: readAction(rule) ?? usual.action };
}

/** The table of a rule, its keys checked; an empty one where there is none. */
function ruleOf({ table, path, to }: Place, name: FlowRuleName, keys: readonly string[]): Place {
  const value = table[name];
  const rule = { table: {}, path: [...path, name], to };
  if (value === undefined) return rule;
  const example = `${name} = { enabled = false }`;
  if (!isTomlTable(value)) {
    complain(to, rule.path, `flow.${name} must be a table, not ${describeToml(value)}`, `write it like ${example}`);
    return rule;
  }
  checkKeys(to, rule.path, value, { read: ['enabled', 'action', ...keys], unenforced: [], where: `flow.${name}` });
  return { ...rule, table: value };
}

function readAction(place: Place): FlowAction | undefined {
  return readWord(place, 'action', { words: FLOW_ACTIONS, noun: 'action' });
}

function readEvidence(place: Place): EvidenceKind | undefined {
  return readWord(place, 'evidence', { words: EVIDENCE, noun: 'evidence' });
}

function readWindow({ table, path, to }: Place): number | undefined {
  const value = table['window'];
  if (value === undefined) return undefined;
  const place = [...path, 'window'];
  if (typeof value !== 'string') {
    complainOfType(to, place, value, 'a duration like "30s"');
    return undefined;
  }
  const read = parseDuration(value);
  if (!read.ok) complain(to, place, read.message, read.hint);
  else if (read.value < WINDOWS.least || read.value > WINDOWS.most) {
    const [least, most] = [formatDuration(WINDOWS.least), formatDuration(WINDOWS.most)];
    complain(to, place, `${place.join('.')} must be at least ${least} and at most ${most}`);
  } else return read.value;
  return undefined;
}

function readMaxCalls({ table, path, to }: Place): number | undefined {
  const value = table['max_calls'];
  if (value === undefined) return undefined;
  const place = [...path, 'max_calls'];
  const { least, most } = MAX_CALLS;
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  if (!isInteger) complainOfType(to, place, value, 'an integer');
  else if (Number(value) < least || Number(value) > most) {
    complain(to, place, `${place.join('.')} must be at least ${least} and at most ${most}`);
  } else return Number(value);
  return undefined;
}
