import { keyFile, readOrMakeKey } from '../../approval/key-file.ts';
import { fingerprintOf } from '../../approval/to-question.ts';
import { boundExtra, type Call } from '../../core/call.ts';
import type { RuleRef } from '../../core/decision.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import type { ClawaiError } from '../../errors.ts';
import type { Question } from '../../gate/ports/approval-port.ts';
import { prepareRule, type RuleChange, ruleRefusal } from '../policy/edit-policy.ts';
import { visible } from '../terminal/text.ts';

/** Works out the change, without making it. @throws ClawaiError where no rule can be written for this call */
export type PrepareAlways = (question: Question) => Promise<RuleChange>;

/** Characters; nobody reads a rule with a longer one. */
const LONGEST_NAME = 4096;

const HINT = 'allow it once, or for this session, or write the rule yourself';

/** Creates the function that prepares a change of the policy. `stateDir` holds clawai's state. */
export function createAlways(stateDir: string): PrepareAlways {
  return async (question) => {
    const { policyFile } = question;
    if (policyFile === undefined) throw refusal('it is not the policy of your own that asks');
    const call = toCall(question, readOrMakeKey(keyFile(stateDir)));
    const change = await prepareRule(policyFile, { call, asked: toRuleRef(question) }, HINT);
    return { ...change, diff: noteOf(call) + change.diff };
  };
}

/** The call as it was made. What was kept of it is proved to be all of it by its fingerprint. */
function toCall(question: Question, key: Buffer): Call {
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
  if ((tool ?? resource ?? prompt ?? '').length > LONGEST_NAME) throw refusal('it is too long for a rule');
  if (fingerprintOf(call, { key, why }) !== fingerprint) throw refusal('it is too long for a rule');
  return call;
}

/** Members of `_meta` that MCP itself has each request say, from 2026-07-28 on. */
const PROTOCOL = /^io\.modelcontextprotocol\//;

/** Names in one note, and characters of each. */
const MOST_NAMES = 8;
const LONGEST_SHOWN = 64;

/** A rule is wider than the call where that sends what no rule can be about; the person who widens it has to know. */
function noteOf({ extra }: Call): string {
  const { _meta: meta, ...others } = boundExtra(extra) ?? {};
  const metaNames = isJsonObject(meta) ? Object.keys(meta).filter((name) => !PROTOCOL.test(name)) : [];
  const names = [...Object.keys(others), ...metaNames.map((name) => `_meta.${name}`)];
  if (names.length === 0) return '';
  const shown = names.slice(0, MOST_NAMES).map((name) => visible(name.slice(0, LONGEST_SHOWN)));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `! The rule says nothing of what is sent besides, and allows any: ${shown.join(', ')}${more}\n\n`;
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

function refusal(reason: string): ClawaiError {
  return ruleRefusal(reason, HINT);
}
