import type { Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import type { Evidence, FlowFinding, PastCall } from '../finding.ts';

/** Longer names are cut, since peers choose them and models and people read them. */
const MOST_NAME = 200;

/** Matches characters that are invisible, end a line, or change the direction; surrogates without their other half. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const SECOND = 1000;
const STEPS = [
  { unit: 'min', length: 60 * SECOND },
  { unit: 's', length: SECOND },
] as const;

/** A name in quotes, as JSON text, with invisible characters escaped. */
export function quoteName(name: string): string {
  const text = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name;
  return JSON.stringify(text).replaceAll(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** The name of the called tool, resource or prompt. */
export function nameOf({ tool, resource, prompt, method }: Call): string {
  return quoteName(tool ?? resource ?? prompt ?? method);
}

/** An earlier call, e.g. `"query_database" of the server "db"`. */
export function nameOfPast({ subject, method, server }: PastCall): string {
  return `${quoteName(subject === '' ? method : subject)} of the server ${quoteName(server)}`;
}

/** The age of a call, in whole seconds, or in minutes from two of them on. */
export function agoOf({ time }: PastCall, now: number): string {
  const age = now - time;
  const step = STEPS.find(({ length }) => age >= (length === SECOND ? length : 2 * length));
  return step === undefined ? 'just now' : `${Math.floor(age / step.length)} ${step.unit} ago`;
}

/** The presentable facts about a value; empty if its description is. */
export function describeEvidence({ description, encoding }: Pick<Evidence, 'description' | 'encoding'>): string {
  if (description === '') return '';
  return encoding === 'plain' || encoding === '' ? description : `${description}, as ${encoding}`;
}

/** The flow findings that a person is asked about; the deciding one first. */
export function askedFlows({ action, flow }: Pick<Decision, 'action' | 'flow'>): readonly FlowFinding[] {
  if (action !== 'prompt' || flow === undefined) return [];
  return flow.filter((finding) => finding.action === 'prompt');
}

/**
 * Identifies a yes to a flow as text: the rules, the servers that the data comes from, and whether a value of theirs is in the call. Their
 * exact calls and times differ each time and do not matter. Undefined if no flow is asked about.
 */
export function flowIdentity(decision: Pick<Decision, 'action' | 'flow'>): string | undefined {
  const asked = askedFlows(decision);
  if (asked.length === 0) return undefined;
  return JSON.stringify(
    asked.map(({ rule, related, evidence, reason }) => [rule, originsOf(rule, { related, reason }), evidence !== undefined]),
  );
}

/** The origins of a finding. For a shadowed tool, only the reason names them; it is the same each time. */
function originsOf(rule: FlowFinding['rule'], { related, reason }: Pick<FlowFinding, 'related' | 'reason'>): readonly string[] {
  return rule === 'shadow_tool' ? [reason] : [...new Set(related.map(({ server }) => server))].sort();
}
