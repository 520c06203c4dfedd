import { parseBody } from '../../audit/event-columns.ts';
import { DETECTION_TYPE, FLOW_TYPE } from '../../audit/event-types.ts';
import { pinStatus } from '../../core/registry/trust.ts';
import { openRegistryReader } from '../../store/reading/read-open.ts';
import type { StoreReader } from '../../store/reading/read.ts';
import { type Fields, objectsOf, textOf, type FoundCall } from './event-fields.ts';
import { findStore } from '../machine/open-store.ts';
import { findPolicyOf } from '../policy/explain/explain-here.ts';
import { linesOfRules } from '../policy/edit-policy.ts';
import { ruleName } from '../../core/decision.ts';

/** All that is known of a recorded call. Texts are as recorded: whatever prints them makes them printable. */
export interface WholeCall {
  readonly id: string;
  readonly event: Fields;
  /** The rule that decided, where it stands in a policy that is at hand, from line 1; null where none decided, or it is in none. */
  readonly rule: { readonly name: string; readonly file: string; readonly line: number } | null;
  /** A policy that is at hand, and whether it is the one that decided. */
  readonly policy: { readonly file: string; readonly isSame: boolean } | null;
  /** The present pin status of the called definition; null if nobody has seen it. */
  readonly pin: string | null;
  readonly related: readonly Fields[];
}

/** Events that are kept of those that mention a call. */
const MOST_RELATED = 200;

/** Fields by which other events name a call. */
const NAMED_BY = ['call_id', 'denied_call_id', 'sighting_of', 'evidence_source'];

/** Gathers what belongs to a call. Throws ClawaiError `store_*`. */
export async function readWholeCall(
  reader: StoreReader,
  { id, event }: FoundCall,
  config: string | undefined,
): Promise<WholeCall> {
  const fields = parseBody(event.body ?? '') ?? {};
  const hash = textOf(fields, 'policy_hash');
  const found = await findPolicyOf(hash === '' ? undefined : hash, { policy: undefined, config, cwd: process.cwd() });
  const name = textOf(fields, 'rule');
  return {
    id,
    event: fields,
    rule: found === undefined || name === '' ? null : await placeOf(name, found.files),
    policy: found === undefined ? null : { file: found.files.user.file, isSame: found.isSame },
    pin: pinOf(await findStore(config), fields),
    related: relatedOf(reader, { id, earlier: textOf(fields, 'sighting_of') }),
  };
}

type Files = NonNullable<Awaited<ReturnType<typeof findPolicyOf>>>['files'];

async function placeOf(name: string, { user, project }: Files): Promise<WholeCall['rule']> {
  for (const [source, at] of Object.entries({ user, project })) {
    if (at === undefined) continue;
    const toName = (rule: (typeof at.policy.rules)[number]): string =>
      ruleName(source === 'project' ? ({ ...rule, source } as never) : (rule as never));
    const rule = at.policy.rules.find((each) => toName(each) === name);
    if (rule === undefined) continue;
    const lines = await linesOfRules(at.policy.text, at.policy.rules.length);
    return { name, file: at.file, line: lines[rule.index] ?? 1 };
  }
  return null;
}

function pinOf(store: string, fields: Fields): string | null {
  const registry = openRegistryReader(store);
  if (registry === undefined) return null;
  try {
    for (const [kind, field] of [
      ['tool', 'tool_name'],
      ['resource', 'resource_uri'],
      ['prompt', 'prompt_name'],
    ] as const) {
      const name = textOf(fields, field);
      const definition = name === '' ? undefined : registry.definition(textOf(fields, 'server_id'), kind, name);
      if (definition !== undefined) return pinStatus(definition);
    }
    return null;
  } finally {
    registry.close();
  }
}

function relatedOf(reader: StoreReader, { id, earlier }: { readonly id: string; readonly earlier: string }): readonly Fields[] {
  const bodies = [id, ...(earlier === '' ? [] : [earlier])].flatMap((each) =>
    reader.mentioning([JSON.stringify(each)], MOST_RELATED).map(({ body }): Fields => parseBody(body ?? '') ?? {}),
  );
  const isAbout = (fields: Fields, of: string): boolean =>
    NAMED_BY.some((name) => textOf(fields, name) === of) ||
    objectsOf(fields, 'related_calls').some((call) => textOf(call, 'call_id') === of);
  const related = bodies.filter(
    (fields) => textOf(fields, 'id') !== id && (isAbout(fields, id) || (earlier !== '' && textOf(fields, 'id') === earlier)),
  );
  const order = (fields: Fields): number => [DETECTION_TYPE, FLOW_TYPE].indexOf(textOf(fields, 'type'));
  const known = new Map(related.map((fields) => [JSON.stringify(fields), fields]));
  return [...known.values()].toSorted(
    (a, b) => textOf(a, 'timestamp').localeCompare(textOf(b, 'timestamp')) || order(b) - order(a),
  );
}
