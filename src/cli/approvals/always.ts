import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { keyFile, readOrMakeKey } from '../../approval/key-file.ts';
import { fingerprintOf } from '../../approval/to-question.ts';
import { boundExtra } from '../../core/bound-extra.ts';
import { insertRule, type Insertion } from '../../config/insert-rule.ts';
import { readPlainFile } from '../../config/read-plain-file.ts';
import type { Call } from '../../core/call.ts';
import type { RuleRef } from '../../core/decision.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { ClawaiError } from '../../errors.ts';
import type { Question } from '../../gate/question-port.ts';
import { packageRoot } from '../../host/package-root.ts';
import { visible } from '../printable.ts';
import { rewritePolicy } from '../rewrite-policy.ts';
import { unifiedDiff } from '../../wrap/unified-diff.ts';

/** A change of the policy that allows a call like this one from now on. */
export interface AlwaysChange {
  /** What it would change, as a unified diff. */
  readonly diff: string;
  /** Makes the change. @throws ClawaiError where the policy has changed meanwhile, or can't be written */
  apply(): Promise<void>;
}

/** Works out the change, without making it. @throws ClawaiError where no rule can be written for this call */
export type PrepareAlways = (question: Question) => Promise<AlwaysChange>;

/** Characters; nobody reads a rule with a longer one. */
const LONGEST_NAME = 4096;

const HINT = 'allow it once, or for this session, or write the rule yourself';

/** What works out such changes. `stateDir` is where clawai keeps its state. */
export function createAlways(stateDir: string): PrepareAlways {
  return async (question) => {
    const { policyFile } = question;
    if (policyFile === undefined) throw refusal('it is not the policy of your own that asks');
    if (policyFile.startsWith(packageRoot() + sep)) {
      throw refusal(
        'the policy that comes with clawai asks, and that stays as it is',
        'run clawai init for a policy of your own',
      );
    }
    const call = toCall(question, readOrMakeKey(keyFile(stateDir)));
    const { text } = readPlainFile(policyFile);
    const request = { file: policyFile, asked: toRuleRef(question), call, action: 'allow', now: Date.now() } as const;
    const insertion = await insertRule(text, request);
    if (!insertion.ok) throw refusal(insertion.reason);
    const fixture = fixtureFile(policyFile, insertion);
    const addition = fixture === undefined ? '' : unifiedDiff(fixture, '', insertion.fixture ?? '');
    return {
      diff: noteOf(call) + unifiedDiff(policyFile, text, insertion.text) + addition,
      apply: () => {
        rewritePolicy(policyFile, { before: text, after: insertion.text }, () =>
          refusal('the policy has changed just now', 'try again'),
        );
        if (fixture !== undefined) writeFixture(fixture, insertion.fixture ?? '');
        return Promise.resolve();
      },
    };
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

/** What was cut is no JSON. */
function toObject(text: string | undefined): JsonObject | undefined {
  try {
    const value = text === undefined ? undefined : parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The fingerprint tells that something is missing.
    return undefined;
  }
}

/** As the rule was when it asked; where that has changed since, no rule is inserted. */
function toRuleRef({ rule, ruleIndex: index, description }: Question): RuleRef | undefined {
  if (rule === undefined || index === undefined) return undefined;
  return {
    index,
    action: 'prompt',
    ...(rule === `rule ${index + 1}` ? {} : { id: rule }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Beside the policy, under the rule's id; undefined where fixtures can't tell the call, or one of that name is there. */
function fixtureFile(policy: string, { id, fixture }: Insertion): string | undefined {
  const file = join(dirname(policy), 'fixtures', `${id}.json`);
  return fixture === undefined || existsSync(file) ? undefined : file;
}

function writeFixture(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: statSync(dirname(dirname(file))).mode & 0o777 });
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    throw new ClawaiError(`the policy was changed, but its fixture could not be written: ${String(thrown)}`, {
      code: 'config_unwritable',
      place: { file },
      hint: 'the rule counts all the same; answer the call, or leave it to the rule',
      cause: thrown,
    });
  }
}

function refusal(reason: string, hint = HINT): ClawaiError {
  return new ClawaiError(`no rule can be written for this call: ${reason}`, { code: 'usage', hint });
}
