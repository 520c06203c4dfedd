import type { Call } from '../core/call.ts';
import type { Finding } from '../core/decision.ts';
import { SEVERITIES } from '../core/detect/types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { CATEGORIES, type Category } from '../core/registry/category.ts';
import type { PinStatus } from '../core/registry/facts.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { FixtureFindings } from './fixture-detection.ts';
import { checkKeys, describe, listed, type Origin, didYouMean } from './fixture-value.ts';

/** What a fixture says is known of the tool, resource or prompt, of its server, and of the session. What it does not say, nobody asked. */
export interface FixtureContext extends Pick<Snapshot, 'registry' | 'categories'> {
  /** The servers that are part of the session besides those that were called. */
  readonly servers?: readonly string[];
  /** The server that had the called tool's name first. */
  readonly shadowed?: string;
  /** What detection finds in what is called. */
  readonly detection?: FixtureFindings;
  /** The call's name looks like that of an MCP tool, and its server is not known. */
  readonly isUnmapped?: true;
}

const KEYS = [
  'pin',
  'category',
  'fingerprint',
  'serverIdentity',
  'servers',
  'shadowed',
  'unmapped',
  'findings',
  'serverFindings',
  'definition',
  'approved',
];
const STATUSES: readonly PinStatus[] = ['pinned', 'changed', 'new', 'unlisted'];
const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads a `context`: `{"pin": "changed", "category": ["send"], "fingerprint": "sha256:…", "serverIdentity": "changed", "servers": ["files"],
 * "shadowed": "files", "unmapped": true, "findings": [{"severity": "high", "rule": "exfiltration.to_address"}], "serverFindings": [],
 * "definition": {"description": "…"}, "approved": true}`.
 *
 * @param call what it is the context of; undefined where that is a whole session
 */
export function readContext(value: JsonValue | undefined, call: Call | undefined, { pointer, fail }: Origin): FixtureContext {
  if (value === undefined) return {};
  const place = `${pointer}/context`;
  if (!isJsonObject(value)) return fail(place, `expected an object, found ${describe(value)}`);
  const at = { pointer: place, fail };
  checkKeys(value, { known: KEYS, what: 'a context' }, at);
  const categories = readCategories(value['category'], at);
  const registry = readRegistry(value, at);
  const servers = readServers(value['servers'], at);
  const shadowed = readShadowed(value['shadowed'], call, at);
  const isUnmapped = readUnmapped(value['unmapped'], call, at);
  const detection = readDetection(value, at);
  return {
    ...(registry === undefined ? {} : { registry }),
    ...(categories === undefined ? {} : { categories }),
    ...(servers === undefined ? {} : { servers }),
    ...(shadowed === undefined ? {} : { shadowed }),
    ...(isUnmapped ? { isUnmapped } : {}),
    ...(detection === undefined ? {} : { detection }),
  };
}

type Place = Pick<Origin, 'pointer' | 'fail'>;

function readRegistry(context: JsonObject, at: Place): Snapshot['registry'] {
  const { pin, fingerprint, serverIdentity } = context;
  if (pin === undefined && fingerprint === undefined && serverIdentity === undefined) return undefined;
  const status = readOneOf(pin, { key: 'pin', known: STATUSES }, at) ?? 'pinned';
  const seen = readFingerprint(fingerprint, at);
  if (status === 'unlisted' && seen !== undefined) at.fail(`${at.pointer}/fingerprint`, 'what is unlisted has no fingerprint');
  const isServerChanged = readOneOf(serverIdentity, { key: 'serverIdentity', known: ['changed'] }, at) !== undefined;
  return { status, fingerprint: seen, definition: () => undefined, isServerChanged };
}

function readFingerprint(value: JsonValue | undefined, { pointer, fail }: Place): string | undefined {
  if (value === undefined || (typeof value === 'string' && FINGERPRINT.test(value))) return value;
  return fail(`${pointer}/fingerprint`, `expected "sha256:" and 64 digits of 0-9a-f, found ${describe(value)}`);
}

function readCategories(value: JsonValue | undefined, { pointer, fail }: Place): readonly Category[] | undefined {
  if (value === undefined) return undefined;
  const place = `${pointer}/category`;
  if (!Array.isArray(value) || value.length === 0) {
    return fail(place, `expected a list of categories, found ${Array.isArray(value) ? 'an empty one' : describe(value)}`);
  }
  return (value as readonly JsonValue[]).map((item, index) => {
    const category = CATEGORIES.find((known) => known === item);
    return category ?? fail(`${place}/${index}`, `expected ${listed(CATEGORIES)}, found ${describe(item)}`);
  });
}

function readServers(value: JsonValue | undefined, { pointer, fail }: Place): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const place = `${pointer}/servers`;
  if (!Array.isArray(value)) return fail(place, `expected a list of servers, found ${describe(value)}`);
  return (value as readonly JsonValue[]).map((item, index) =>
    typeof item === 'string' && item !== ''
      ? item
      : fail(`${place}/${index}`, `expected a server's name, found ${describe(item)}`),
  );
}

function readShadowed(value: JsonValue | undefined, call: Call | undefined, { pointer, fail }: Place): string | undefined {
  if (value === undefined) return undefined;
  const place = `${pointer}/shadowed`;
  if (typeof value !== 'string' || value === '') return fail(place, `expected a server's name, found ${describe(value)}`);
  if (call?.tool === undefined) return fail(place, 'only the name of a tool is shadowed', 'it stands beside the call of a tool');
  return value === call.server ? fail(place, 'a server does not shadow its own tool', 'name another server') : value;
}

function readUnmapped(value: JsonValue | undefined, call: Call | undefined, { pointer, fail }: Place): boolean {
  if (value === undefined) return false;
  const place = `${pointer}/unmapped`;
  if (value !== true) return fail(place, `expected true, found ${describe(value)}`);
  if (call?.tool === undefined) return fail(place, 'only the name of a tool is unmapped', 'it stands beside the call of a tool');
  return call.origin === 'native' ? fail(place, "an agent's own tool belongs to no server", 'name another server') : true;
}

function readOneOf<Value extends string>(
  value: JsonValue | undefined,
  { key, known }: { readonly key: string; readonly known: readonly Value[] },
  { pointer, fail }: Place,
): Value | undefined {
  const found = known.find((each) => each === value);
  if (value === undefined || found !== undefined) return found;
  return fail(`${pointer}/${key}`, `expected ${listed(known)}, found ${describe(value)}`);
}

const FINDING_KEYS = ['severity', 'rule', 'field', 'description'];

/** Reads what a `context` says of detection: `findings`, `serverFindings`, `definition`, `approved`; undefined where it says nothing. */
function readDetection(context: JsonObject, at: Place): FixtureFindings | undefined {
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
  checkKeys(value, { known: FINDING_KEYS, what: 'a finding' }, at);
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
