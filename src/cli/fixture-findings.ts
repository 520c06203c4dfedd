import type { Finding } from '../core/decision.ts';
import { SEVERITIES } from '../core/detect/types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { FixtureFindings } from './fixture-detection.ts';
import { checkKeys, describe, didYouMean, listed, type Origin } from './fixture-value.ts';

type Place = Pick<Origin, 'pointer' | 'fail'>;

const KEYS = ['severity', 'rule', 'field', 'description'];

/** Reads what a `context` says of detection: `findings`, `serverFindings`, `definition`, `approved`; undefined where it says nothing. */
export function readDetection(context: JsonObject, at: Place): FixtureFindings | undefined {
  const { findings, serverFindings, definition, approved } = context;
  if ([findings, serverFindings, definition, approved].every((value) => value === undefined)) return undefined;
  if (definition !== undefined && !isJsonObject(definition)) {
    return at.fail(`${at.pointer}/definition`, `expected a definition as it is listed, an object, found ${describe(definition)}`);
  }
  if (approved !== undefined && typeof approved !== 'boolean') {
    return at.fail(`${at.pointer}/approved`, `expected true or false, found ${describe(approved)}`);
  }
  return {
    findings: readFindings(findings, { ...at, pointer: `${at.pointer}/findings` }),
    ofServer: readFindings(serverFindings, { ...at, pointer: `${at.pointer}/serverFindings` }),
    definition,
    isApproved: approved === true,
  };
}

function readFindings(value: JsonValue | undefined, { pointer, fail }: Place): readonly Finding[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return fail(pointer, `expected a list of findings, found ${describe(value)}`);
  return (value as readonly JsonValue[]).map((item, index) => readFinding(item, { pointer: `${pointer}/${index}`, fail }));
}

function readFinding(value: JsonValue, at: Place): Finding {
  const { pointer, fail } = at;
  if (!isJsonObject(value)) return fail(pointer, `expected a finding (an object), found ${describe(value)}`);
  checkKeys(value, { known: KEYS, what: 'a finding' }, at);
  const severity = SEVERITIES.find((known) => known === value['severity']);
  if (severity === undefined) return failSeverity(value['severity'], at);
  const { rule, field, description } = value;
  if (typeof rule !== 'string' || rule === '') {
    return fail(
      rule === undefined ? pointer : `${pointer}/rule`,
      rule === undefined ? '"rule" is missing' : `expected a rule's name, found ${describe(rule)}`,
      'for example "rule": "exfiltration.to_address"',
    );
  }
  for (const [key, text] of Object.entries({ field, description })) {
    if (text !== undefined && typeof text !== 'string') fail(`${pointer}/${key}`, `expected a text, found ${describe(text)}`);
  }
  return {
    rule,
    severity,
    ...(typeof field === 'string' ? { field } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function failSeverity(value: JsonValue | undefined, { pointer, fail }: Place): never {
  if (value === undefined) return fail(pointer, '"severity" is missing', `one of ${listed(SEVERITIES)}`);
  const hint = typeof value === 'string' ? didYouMean(value, SEVERITIES) : undefined;
  return fail(`${pointer}/severity`, `expected ${listed(SEVERITIES)}, found ${describe(value)}`, hint);
}
