import { boundExtra, type Call } from '../core/call.ts';
import type { RuleRef } from '../core/decision.ts';
import { isJsonObject, type JsonObject, parseJson } from '../core/json.ts';
import type { Question } from '../gate/ports/approval-port.ts';
import { fingerprintOf } from './to-question.ts';

/** Characters; nobody reads a rule with a longer one. */
const LONGEST_NAME = 4096;

/** A call that a person is asked about, and the rule that asks; undefined if the default does. */
export interface AskedCall {
  readonly call: Call;
  readonly asked: RuleRef | undefined;
}

/** Reads the call from its question as it was made; undefined if not all of it was kept, which its fingerprint tells. */
export function readAskedCall(question: Question, key: Buffer): AskedCall | undefined {
  const { server, method, tool, resource, prompt, fingerprint } = question;
  const args = toObject(question.args);
  const extra = toObject(question.extra);
  const call: Call = {
    server,
    method,
    ...(tool === undefined ? {} : { tool }),
    ...(resource === undefined ? {} : { resource }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(args === undefined ? {} : { args }),
    ...(extra === undefined ? {} : { extra }),
  };
  const why = question.description ?? question.rule;
  const isWhole = (tool ?? resource ?? prompt ?? '').length <= LONGEST_NAME && fingerprintOf(call, { key, why }) === fingerprint;
  return isWhole ? { call, asked: toRuleRef(question) } : undefined;
}

/** Members of `_meta` that MCP itself has each request say, from 2026-07-28 on. */
const PROTOCOL = /^io\.modelcontextprotocol\//;

/** Names what the call sends besides its arguments: no rule can be about that, so a rule allows any. */
export function namesBesides({ extra }: Call): readonly string[] {
  const { _meta: meta, ...others } = boundExtra(extra) ?? {};
  const metaNames = isJsonObject(meta) ? Object.keys(meta).filter((name) => !PROTOCOL.test(name)) : [];
  return [...Object.keys(others), ...metaNames.map((name) => `_meta.${name}`)];
}

/** Parses an object; undefined for a text that was cut, which is no JSON. */
function toObject(text: string | undefined): JsonObject | undefined {
  try {
    const value = text === undefined ? undefined : parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The fingerprint tells that something is missing.
    return undefined;
  }
}

/** The rule as it was when it asked; if it has changed since, no rule is inserted. */
function toRuleRef({ rule, ruleIndex: index, description }: Question): RuleRef | undefined {
  if (rule === undefined || index === undefined) return undefined;
  return {
    index,
    action: 'prompt',
    ...(rule === `rule ${index + 1}` ? {} : { id: rule }),
    ...(description === undefined ? {} : { description }),
  };
}
