import type { Call } from '../../../core/call.ts';
import { type Decision, ruleName } from '../../../core/decision.ts';
import { ExactNumber, type JsonValue } from '../../../core/json.ts';
import type {
  Because,
  ConditionAccount,
  RuleAccount,
  RulesAccount,
  StageAccount,
} from '../../../policy-tools/explain/explanation.ts';
import type { Explained, Surroundings } from './explained.ts';
import { conditionWords, showValue } from './rule-words.ts';
import { stageWords } from './stage-words.ts';

/** An explanation as plain JSON. Texts for people are in `words`; values are cut as people see them. */
export function toJson({ fixture, explanation, result, request }: Explained, around: Surroundings): object {
  const { call, decision, stages, rules } = explanation;
  return {
    ...(fixture.file === ''
      ? {}
      : { fixture: fixture.file, name: fixture.name, step: fixture.step?.number ?? null, expected: fixture.expected ?? null }),
    call: callJson(call),
    decision: decisionJson(decision),
    result,
    request,
    stages: stages.map((stage) => stageJson(stage, call)),
    rules: rules.map((section) => sectionJson(section, around)),
  };
}

function callJson({ method, server, tool, resource, prompt, origin }: Call): object {
  return { method, server, tool: tool ?? null, resource: resource ?? null, prompt: prompt ?? null, origin: origin ?? null };
}

function decisionJson({ action, reason, rule, policyHash }: Decision): object {
  return { action, reason, rule: rule === undefined ? null : ruleName(rule), ruleIndex: rule?.index ?? null, policyHash };
}

function stageJson(account: StageAccount, call: Call): object {
  const { stage, says, silence, isSkipped, hasDecided, known } = account;
  return {
    stage,
    asked: !isSkipped,
    decided: hasDecided,
    action: says?.action ?? null,
    reason: says?.reason ?? null,
    silence: silence ?? null,
    flow: known.flow?.map(({ rule, action, severity, reason }) => ({ rule, action, severity, reason })),
    ...(known.pin === undefined ? {} : { pin: known.pin, serverChanged: known.isServerChanged ?? false }),
    limits: known.limits?.map(({ of, rpm, burst, left }) => ({ of, rpm, burst, left })),
    words: stageWords(account, call),
  };
}

function sectionJson(section: RulesAccount, { files, lines }: Surroundings): object {
  const { source, call, isLike, isSkipped, total, rules, missed, unasked, elsewhere } = section;
  return {
    source,
    file: (files[source] ?? files.user).file,
    about: isLike ? callJson(call) : undefined,
    asked: !isSkipped,
    total,
    rules: rules.map((rule) => ({ ...ruleJson(rule), line: lines[source][rule.index] ?? null })),
    omitted: { missed, unasked, elsewhere },
  };
}

function ruleJson({ index, id, action, outcome, isUnasked, elsewhere, nearName, conditions, unless }: RuleAccount): object {
  return {
    index,
    id: id ?? null,
    action,
    asked: !isUnasked,
    outcome: elsewhere === undefined ? outcome : 'elsewhere',
    ...(elsewhere === undefined ? {} : { elsewhere, nearName: nearName ?? null }),
    conditions: conditions.map(conditionJson),
    unless: unless && { outcome: unless.outcome, conditions: unless.conditions.map(conditionJson) },
  };
}

function conditionJson(account: ConditionAccount): object {
  const { field, holds, because } = account;
  return { field, holds, ...becauseJson(because), words: conditionWords(account) };
}

function becauseJson(because: Because): object {
  switch (because.kind) {
    case 'name':
      return { because: because.kind, name: because.name ?? null, asks: because.asks.each };
    case 'value': {
      const { where, pointer, value, test } = because.settling;
      return {
        because: because.kind,
        where,
        pointer: pointer ?? null,
        value: cut(value),
        values: because.count,
        asks: test.asks.each,
        asksOmitted: test.asks.others,
        matches: test.matches,
        negated: test.isNegated,
        form: test.form === undefined ? null : cut(test.form),
        readAs: test.readAs,
      };
    }
    case 'category':
      return { because: because.kind, categories: because.categories, asks: because.wanted };
    case 'fingerprint':
      return { because: because.kind, seen: because.seen ?? null, asks: because.wanted };
    default:
      return { because: because.kind };
  }
}

/** Characters of a value that are kept, enough to recognise it. */
const MOST_CHARACTERS = 200;

function cut(value: JsonValue): string | number | boolean | null {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof ExactNumber) return value.source;
  if (typeof value !== 'string') return showValue(value);
  return value.length <= MOST_CHARACTERS ? value : `${value.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}
